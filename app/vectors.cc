#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "default_model.h"
#include "interrupted.h"
#include "io/output_file.h"
#include "number_text.h"
#include "option_values.h"
#include "render/text_width.h"
#include "run_files.h"
#include "stage_progress.h"
#include "status_line.h"
#include "stop_signals.h"
#include "text_words.h"
#include "training/model_facts.h"
#include "vectors/vector_learner.h"
#include "vectors/vector_reader.h"

namespace copse {
namespace {

struct VectorsOptions {
  std::vector<std::string> text;
  std::string from;
  std::string output;
  std::string model;
  std::string tokens = "segmenter";
  std::string format = "copse";
  bool keeps_case = false;
  std::size_t max_words = 0;  // 0: all
  VectorOptions learning;
  int threads = 1;
};

// Throws Interrupted if the user wants to stop.
void expect_no_signal() {
  if (StopSignals::received() != 0) {
    throw Interrupted(status_of_stop(StopSignals::received()), "stopped; nothing is saved");
  }
}

class VectorsProgress : public VectorReport {
 public:
  explicit VectorsProgress(StatusLine& line) : progress_(line) {}

  void on_text(const TextPosition& position) {
    expect_no_signal();
    progress_.show(fmt::format("  {}, {} per second", counted_words(position.words),
                               rate(static_cast<double>(position.words) / progress_.seconds())),
                   position.share);
  }

  void on_vocabulary(const TextVocabulary& vocabulary, std::size_t ngrams) override {
    progress_.print(fmt::format("  {}, {} n-grams of characters; {} of the text are among them",
                                counted(static_cast<std::int64_t>(vocabulary.words.size()), "different word"),
                                grouped(static_cast<std::int64_t>(ngrams)), counted_words(vocabulary.total)));
    start_stage("learning");
  }

  void on_progress(const VectorProgress& progress) override {
    const double share = static_cast<double>(progress.words) / static_cast<double>(progress.total);
    progress_.show(
        fmt::format("  pass {} of {}  loss {:.4f}  {} words/s", progress.pass, progress.passes, progress.loss,
                    rate(static_cast<double>(progress.words) / progress_.seconds())),
        share);
  }

  bool should_stop() override { return StopSignals::received() != 0; }

  void start_stage(std::string_view what) { progress_.start(what); }

 private:
  static std::string counted_words(std::uint64_t words) {
    return counted(static_cast<std::int64_t>(words), "word");
  }

  StageProgress progress_;
};

WordVectors learn(const VectorsOptions& options) {
  TextWordsOptions words{options.text, {}, options.keeps_case};
  if (options.tokens == "segmenter") words.segmenter = SegmenterModel::load(model_path(options.model));
  TaskPool pool(options.threads);
  const StopSignals signals;
  StatusLine line;
  VectorsProgress progress(line);
  TrainingText text(folder_of(options.output));
  progress.start_stage("reading the text");
  read_text_words(words, pool, text, [&](const TextPosition& position) { progress.on_text(position); });
  VectorOptions learning = options.learning;
  if (options.max_words > 0) learning.max_words = options.max_words;
  try {
    WordVectors vectors = learn_vectors(text, learning, pool, progress);
    vectors.add_fact("text", file_names(options.text));
    vectors.add_fact("words of text", std::to_string(text.words()));
    vectors.add_fact("words cut by", options.tokens);
    vectors.add_fact("case", options.keeps_case ? "kept" : "lower");
    vectors.add_fact("window", std::to_string(learning.window));
    vectors.add_fact("max words", std::to_string(learning.max_words));
    vectors.add_fact("min count", std::to_string(learning.min_count));
    vectors.add_fact("passes", std::to_string(learning.passes));
    vectors.add_fact("negative", std::to_string(learning.negative));
    vectors.add_fact("n-grams", fmt::format("{}-{}", learning.ngrams.shortest, learning.ngrams.longest));
    vectors.add_fact("rate", fmt::format("{}", learning.rate));
    vectors.add_fact("seed", std::to_string(learning.seed));
    vectors.add_fact("program", "copse " COPSE_VERSION);
    return vectors;
  } catch (const VectorsStopped&) {
    expect_no_signal();
    throw;
  }
}

WordVectors convert(const VectorsOptions& options) {
  VectorReadOptions reading;
  if (options.max_words > 0) reading.max_words = options.max_words;
  return read_vectors(options.from, reading);
}

void write_text(const WordVectors& vectors, const std::string& path) {
  OutputFile file(path);
  file.write(fmt::format("{} {}\n", vectors.size(), vectors.dimension()));
  std::vector<float> values(vectors.dimension());
  std::string line;
  for (std::size_t word = 0; word < vectors.size(); ++word) {
    vectors.copy_row(word, values);
    line.assign(vectors.word(word));
    for (const float value : values) fmt::format_to(std::back_inserter(line), " {:.5g}", value);
    line += '\n';
    file.write(line);
  }
  file.close();
}

void check_usage(const VectorsOptions& options, const CLI::App& command) {
  if (options.text.empty() == options.from.empty()) {
    throw CLI::ValidationError("--text",
                               "either this is needed, to learn vectors, or --from, to convert some");
  }
  if (!options.from.empty()) {
    for (const char* option : {"--model", "--tokens", "--keep-case", "--dimension", "--window", "--min-count",
                               "--passes", "--negative", "--ngrams", "--rate", "--seed", "--threads"}) {
      if (command.count(option) > 0) throw CLI::ValidationError(option, "is for learning, with --text");
    }
  }
  check_cutting_usage(command, options.tokens);
  if (options.learning.ngrams.shortest > options.learning.ngrams.longest &&
      options.learning.ngrams.longest > 0) {
    throw CLI::ValidationError("--ngrams", "the shortest is longer than the longest");
  }
  if (options.output == "-") {
    throw CLI::ValidationError("--output", "vectors go to a file, not to the standard output");
  }
  expect_one_standard_input("--text", options.text);
  std::vector<std::string> inputs = options.text;
  inputs.push_back(options.from);
  expect_no_input("--output", options.output, inputs);
}

void run_vectors(const VectorsOptions& options) {
  { const OutputFile output(options.output); }  // goes away again: better now than after the work
  const WordVectors vectors = options.from.empty() ? learn(options) : convert(options);
  if (options.format == "text")
    write_text(vectors, options.output);
  else
    vectors.save(options.output);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(options.output, error);
  write_output(fmt::format("{}: {}, {} values each, {}\n", printable(options.output),
                           counted(static_cast<std::int64_t>(vectors.size()), "word"), vectors.dimension(),
                           counted(error ? 0 : static_cast<std::int64_t>(size), "byte")));
}

void add_learning_options(CLI::App& command, VectorsOptions& options) {
  VectorOptions& learning = options.learning;
  add_cutting_options(command, options.model, options.tokens);
  command.add_flag("--keep-case", options.keeps_case,
                   "Tell upper from lower case; else all words are made lower-case, as look-ups expect");
  command.add_option("--dimension", learning.dimension, "Values of a vector")
      ->check(CLI::Range(1, static_cast<int>(WordVectors::kMostDimension)))
      ->option_text(fmt::format("N [{}]", learning.dimension));
  command.add_option("--window", learning.window, "Words on either side that a word predicts, at most")
      ->check(CLI::Range(1, 100))
      ->option_text(fmt::format("N [{}]", learning.window));
  command.add_option("--min-count", learning.min_count, "Words that come less often get no vector")
      ->check(CLI::PositiveNumber)
      ->option_text(fmt::format("N [{}]", learning.min_count));
  command.add_option("--passes", learning.passes, "How often to go through the text")
      ->check(CLI::Range(1, 1000))
      ->option_text(fmt::format("N [{}]", learning.passes));
  command.add_option("--negative", learning.negative, "Random words for each word that is predicted")
      ->check(CLI::Range(1, 100))
      ->option_text(fmt::format("N [{}]", learning.negative));
  command
      .add_option_function<std::vector<int>>(
          "--ngrams",
          [&learning](const std::vector<int>& lengths) {
            learning.ngrams = {lengths[0], lengths[1]};
          },
          "Lengths of the sequences of characters that words are also made of; 0 0 for none")
      ->expected(2)
      ->check(CLI::Range(0, 20))
      ->option_text(fmt::format("N N [{} {}]", learning.ngrams.shortest, learning.ngrams.longest));
  command.add_option("--rate", learning.rate, "Of the first step; falls to 0 linearly")
      ->check(CLI::Range(1e-6, 1.0))
      ->option_text(fmt::format("R [{}]", learning.rate));
  command.add_option("--seed", learning.seed, "Of all that is random")->option_text("N [1]");
  add_threads_option(command, options.threads);
}

}  // namespace

void add_vectors(CLI::App& program) {
  CLI::App* command = program.add_subcommand("vectors", "Learn vectors of words from plain text");
  command->footer(
      "Learns a vector for every frequent word of a text (UTF-8, plain, gzip or zstd, of any size):\n"
      "words that are used alike get vectors that are alike. `copse train --vectors` makes parsers\n"
      "of them that know more words than the treebank has. Skip-gram with negative sampling; a\n"
      "vector is the mean of one for the word and of those for sequences of characters in it.\n"
      "While it works, the words of the text lie in a temporary file beside the output, four bytes\n"
      "each. Ctrl-C stops it, and then nothing is written.\n\n"
      "With --from, converts vectors that others have made: text files of word2vec, fastText (.vec)\n"
      "and GloVe, binary files of word2vec, plain or compressed.\n\n"
      "Vectors are stored with 8 bits a value, words from the most to the least frequent.\n\n"
      "Examples:\n"
      "  copse vectors --text wiki.txt.zst --output en.vectors\n"
      "  copse vectors --text news.txt books.txt --model de.copse --passes 3 --output de.vectors\n"
      "  copse vectors --from cc.fi.300.vec.gz --max-words 100000 --output fi.vectors\n"
      "  copse vectors --from en.vectors --format text --output en.vec");
  auto options = std::make_shared<VectorsOptions>();
  command->add_option("FILES,--text", options->text, "Text to learn from; - is the standard input")
      ->option_text("FILE ...");
  command->add_option("--from", options->from, "Vectors to convert; - is the standard input")
      ->option_text("FILE");
  command->add_option("--output", options->output, "The file to write; appears when it is complete")
      ->required()
      ->option_text("FILE");
  command->add_option("--format", options->format, "Of the output: for this program, or text for others")
      ->check(CLI::IsMember({"copse", "text"}))
      ->option_text("copse|text [copse]");
  command->add_option("--max-words", options->max_words, "Only so many, the most frequent ones")
      ->check(CLI::Range(std::size_t{1}, WordVectors::kMostWords))
      ->option_text("N [all]");
  add_learning_options(*command, *options);
  command->callback([options, command] {
    check_usage(*options, *command);
    run_vectors(*options);
  });
}

}  // namespace copse
