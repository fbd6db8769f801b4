#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/evaluation/aligned_scores.h"
#include "copse/io/byte_source.h"
#include "copse/io/output_file.h"
#include "copse/learning/trainer.h"
#include "copse/render/text_width.h"
#include "copse/segmentation/segmenter_trainer.h"
#include "copse/segmentation/surface_text.h"
#include "interrupted.h"
#include "number_text.h"
#include "option_values.h"
#include "sentence_stream.h"
#include "sequence_report.h"
#include "stop_signals.h"
#include "training_files.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct SegmentOptions {
  std::string model;
  // To train.
  std::vector<std::string> train;
  std::vector<std::string> dev;
  SegmenterOptions training;
  int threads = 1;
  // To segment.
  std::string input = "-";
  std::string output = "-";
};

void check_usage(const SegmentOptions& options, const CLI::App& command) {
  check_train_or_use(command,
                     {options.train,
                      options.dev,
                      options.model,
                      options.input,
                      options.training.learner,
                      "segmenting",
                      {"--dev", "--order", "--learner", "--l2", "--iterations", "--seed", "--threads"},
                      {"--input", "--output"}});
}

Segmenter train_with_report(const SegmentOptions& options, const std::vector<Sentence>& sentences,
                            const std::vector<Sentence>& dev, TaskPool& pool) {
  const StopSignals signals;
  SegmenterReport report;
  try {
    return train_segmenter(sentences, dev, options.training, pool, report);
  } catch (const TrainingStopped&) {
    throw Interrupted(kStatusOfSignals + StopSignals::received(), "stopped; nothing is saved");
  }
}

std::string score_table(const Segmenter& segmenter, std::vector<Sentence> dev) {
  std::string text;
  TextWriter writer = TextWriter::to_text(text);
  for (Sentence& sentence : dev) {
    writer.write(sentence);
    for (Token& word : sentence.words()) word.set_head(kNoHead);  // which has nothing to do with this
  }
  writer.close();
  const AlignedScores scores = evaluate_aligned(dev, segment_text(segmenter, text));
  std::string table =
      fmt::format("{:<18} {:>9} {:>9} {:>9}\n", "development data", "precision", "recall", "F1");
  for (const AlignedMeasure measure :
       {AlignedMeasure::tokens, AlignedMeasure::sentences, AlignedMeasure::words}) {
    const AlignedScore& score = scores[measure];
    table +=
        fmt::format("{:<18} {:>9} {:>9} {:>9}\n", kAlignedMeasureNames[static_cast<std::size_t>(measure)],
                    percent_text(score.precision()), percent_text(score.recall()), percent_text(score.f1()));
  }
  return table;
}

void train(const SegmentOptions& options) {
  { const OutputFile model(options.model); }  // goes away again: better now than after the work
  const std::vector<Sentence> sentences = read_treebanks(options.train);
  std::vector<Sentence> dev = read_treebanks(options.dev);
  TaskPool pool(options.threads);
  Segmenter segmenter = train_with_report(options, sentences, dev, pool);
  segmenter.add_fact("training files", file_names(options.train));
  if (!options.dev.empty()) segmenter.add_fact("development files", file_names(options.dev));
  segmenter.add_fact("program", "copse " COPSE_VERSION);
  segmenter.save(options.model);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(options.model, error);
  std::string summary = fmt::format("{}: {}\n", printable(options.model),
                                    counted(error ? 0 : static_cast<std::int64_t>(size), "byte"));
  if (!dev.empty()) summary += score_table(segmenter, std::move(dev));
  write_output(summary);
}

void segment(const SegmentOptions& options) {
  const Segmenter segmenter = Segmenter::load(options.model);
  SentenceOutput output(options.output, "conllu");
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  TextSegmenter text(
      segmenter,
      [&](Sentence&& sentence) {
        ++sentences;
        words += sentence.size();
        output.writer().write(sentence);
      },
      input_name(options.input));
  const auto hand_on = [&] {
    output.writer().flush();
    progress.advance(sentences, words);
  };
  const std::unique_ptr<ByteSource> input =
      decompress(std::make_unique<WatchedInput>(options.input, position, hand_on), input_name(options.input));
  std::vector<char> buffer(std::size_t{64} << 10);
  while (const std::size_t count = input->read(buffer)) {
    text.add({buffer.data(), count});
    hand_on();
  }
  text.finish();
  hand_on();
  output.close();
  progress.finish();
}

void add_training_options(CLI::App& command, SegmentOptions& options) {
  SegmenterOptions& training = options.training;
  command.add_option("--train", options.train, "Learn from these CoNLL-U files; - is the standard input")
      ->option_text("FILE ...");
  command.add_option("--dev", options.dev, "Sentences to choose the best iteration by, and to report on")
      ->option_text("FILE ...");
  command.add_option("--order", training.order, "How many decisions before a decision count with it: 1 or 2")
      ->check(CLI::Range(1, 2))
      ->option_text(fmt::format("1|2 [{}]", training.order));
  add_choice(command, "--learner", training.learner, parse_learner, {"lbfgs", "adagrad", "perceptron"},
             "Maximum likelihood by lbfgs or adagrad, or averaged perceptron")
      ->option_text("NAME [adagrad]");
  command.add_option("--l2", training.l2, "Penalty of large weights, C/2 |w|^2")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text(fmt::format("C [{}]", training.l2));
  command.add_option("--iterations", training.iterations, "At most so many")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [by the learner]");
  command.add_option("--seed", training.seed, "Of the order of texts")->option_text("N [1]");
  add_threads_option(command, options.threads);
}

}  // namespace

void add_segment(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("segment", "Find sentences and words in raw text, or learn to do so");
  command->footer(
      "Without --train, reads text (UTF-8) and writes its sentences as CoNLL-U: tokens, and the\n"
      "words of tokens that are several (don't: do, n't). Empty lines end paragraphs; other line\n"
      "breaks are space. Each paragraph is answered as soon as it has ended, and memory is bounded,\n"
      "whatever comes. SpaceAfter=No and SpacesAfter in MISC keep the text exactly:\n"
      "`copse convert --to text` gives it back, up to space at its end.\n\n"
      "With --train, learns from CoNLL-U sentences that follow each other in texts. Their text is\n"
      "taken from # text, or from SpaceAfter=No; paragraphs from # newpar and # newdoc. With --dev,\n"
      "keeps the best iteration, and says how much is found in the end. Ctrl-C stops it, and then\n"
      "nothing is written.\n\n"
      "Examples:\n"
      "  copse segment --train train.conllu --dev dev.conllu --model segments.copse\n"
      "  copse segment --model segments.copse --input text.txt --output sentences.conllu\n"
      "  copse segment --model segments.copse < text.txt | copse tag --model tags.copse |\n"
      "      copse parse --model en.copse > parsed.conllu\n"
      "  copse convert dev.conllu --to text | copse segment --model segments.copse > found.conllu\n"
      "  copse eval --aligned --gold dev.conllu --system found.conllu");
  auto options = std::make_shared<SegmentOptions>();
  command->add_option("--model", options->model, "The segmenter: to be written by --train, else to be used")
      ->required()
      ->option_text("FILE");
  command->add_option("--input", options->input, "Text, gzip or zstd data too; - is the standard input")
      ->option_text("FILE [-]");
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_training_options(*command, *options);
  command->callback([options, command] {
    check_usage(*options, *command);
    if (options->train.empty())
      segment(*options);
    else
      train(*options);
  });
}

}  // namespace copse
