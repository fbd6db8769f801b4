#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "current_team.h"
#include "default_model.h"
#include "network_options.h"
#include "number_text.h"
#include "option_values.h"
#include "parser_training/network_options.h"
#include "parser_training/processor_steps.h"
#include "pretraining/pretrainer.h"
#include "render/text_width.h"
#include "run_files.h"
#include "run_report/team_report.h"
#include "stage_progress.h"
#include "stop_signals.h"
#include "text_words.h"
#include "training/model_facts.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct PretrainOptions {
  std::vector<std::string> text;
  std::vector<std::string> treebank;
  std::string output;
  std::string model;
  std::string tokens = "segmenter";
  std::string licence;
  NetworkSize size = NetworkSize::standard;
  std::optional<std::size_t> layers, hidden, word_size, spelling_size, affix_rows;
  PretrainingOptions learning;
  int threads = 1;
  bool resume = false;

  RunFolder folder() const { return {output, "--output", resume}; }
  std::string log() const { return output + ".log.jsonl"; }
};

// How often a word of the treebank counts: parsers will need it, even if the text has it rarely.
constexpr std::uint64_t kTreebankCount = 5;

NetworkShape shape_of(const PretrainOptions& options) {
  NetworkShape shape = shape_of(options.size);
  shape.layers = options.layers.value_or(shape.layers);
  shape.hidden = options.hidden.value_or(shape.hidden);
  shape.word_size = options.word_size.value_or(shape.word_size);
  shape.spelling_size = options.spelling_size.value_or(shape.spelling_size);
  shape.affix_rows = options.affix_rows.value_or(shape.affix_rows);
  return shape;
}

// Tells people on the standard error and programs in the log how it goes.
class PretrainReport : public PretrainingObserver {
 public:
  PretrainReport(TrainingLog& log, const PretrainOptions& options)
      : log_(log), options_(options), progress_(line_), traffic_(current_team()) {}

  // In a team, all processes start it.
  void start(std::string_view stage) {
    if (StopSignals::received_by_any() != 0) throw TrainingStopped();
    log_.write("stage", {{"what", stage}});
    progress_.start(stage);
  }

  void on_text(const TextPosition& position) {
    if (should_stop()) throw TrainingStopped();  // of a team, rank 0 reads alone; the others hear of it then
    progress_.show(fmt::format("  {}, {} per second", counted_words(position.words),
                               rate(static_cast<double>(position.words) / progress_.seconds())),
                   position.share);
  }

  void on_vocabulary(const TextVocabulary& vocabulary) override {
    log_.write("vocabulary", {{"words", vocabulary.words.size()}, {"occurrences", vocabulary.total}});
    progress_.print(fmt::format("  {}, which come {} times in text and treebank",
                                counted(static_cast<std::int64_t>(vocabulary.words.size()), "different word"),
                                grouped(static_cast<std::int64_t>(vocabulary.total))));
    start(fmt::format("learning to guess hidden words, on the {}", name(options_.learning.device)));
  }

  void on_resumed(int iterations) override {
    log_.write("resumed", {{"iterations", iterations}});
    progress_.print(fmt::format("  going on after {}", counted(iterations, "window")));
    last_iteration_ = iterations;
    is_resumed_ = true;
  }

  void on_step(const MaskedProgress& progress) override {
    if (steps_ == 0) {
      if (is_resumed_) first_words_ = progress.words;
      if (options_.resume && !is_resumed_) progress_.print("  nothing to resume; from the beginning");
    }
    ++steps_;
    words_ = progress.words;
    const double share = static_cast<double>(progress.words) / static_cast<double>(progress.total);
    // The time that is left is that of this program, which may have begun in the middle.
    const double own = static_cast<double>(progress.words - first_words_) /
                       static_cast<double>(progress.total - first_words_);
    const int passes = options_.learning.batches.passes;
    const int pass = std::min(static_cast<int>(share * passes) + 1, passes);
    text_ = fmt::format("  pass {} of {}, {:.1f}% of all  loss {:.4f}  {} words/s", pass, passes,
                        100.0 * share, progress.loss, rate(words_per_second()));
    progress_.show(text_, own);
  }

  void on_iteration(const IterationReport& report) override {
    last_iteration_ = report.iteration;
    nlohmann::ordered_json record = {{"iteration", report.iteration},
                                     {"iterations", report.iterations},
                                     {"loss", report.objective},
                                     {"gradient_norm", report.gradient_norm},
                                     {"words", words_},
                                     {"seconds", report.seconds},
                                     {"words_per_second", report.examples_per_second}};
    record.update(traffic_.read());
    log_.write("iteration", record);
    if (report.is_last && line_.is_live()) progress_.print(text_);  // elsewhere it has been printed
  }

  bool should_stop() override { return StopSignals::received() != 0; }
  int last_iteration() const { return last_iteration_; }

 private:
  static std::string counted_words(std::uint64_t words) {
    return counted(static_cast<std::int64_t>(words), "word");
  }
  double words_per_second() const {
    return static_cast<double>(words_ - first_words_) / std::max(progress_.seconds(), 1e-9);
  }

  TrainingLog& log_;
  const PretrainOptions& options_;
  StatusLine line_;
  StageProgress progress_;
  TrafficMeter traffic_;
  std::string text_;
  std::uint64_t steps_ = 0;  // of this program
  std::uint64_t first_words_ = 0;
  std::uint64_t words_ = 0;
  int last_iteration_ = 0;
  bool is_resumed_ = false;
};

void check_usage(const CLI::App& command, const PretrainOptions& options) {
  check_device_usage(options.learning.device);
  check_cutting_usage(command, options.tokens);
  if (options.output == "-") throw CLI::ValidationError("--output", "name a file: others go beside it");
  std::vector<std::string> inputs = options.text;
  inputs.insert(inputs.end(), options.treebank.begin(), options.treebank.end());
  expect_one_standard_input("--text", inputs);
  if (!options.model.empty()) inputs.push_back(options.model);
  expect_no_input("--output", options.output, inputs);
  expect_no_input("--output", options.log(), inputs);
}

nlohmann::ordered_json settings_json(const PretrainOptions& options) {
  const PretrainingOptions& learning = options.learning;
  return {{"program", "copse " COPSE_VERSION},
          {"text", options.text},
          {"treebank", options.treebank},
          {"tokens", options.tokens},
          {"layers", learning.shape.layers},
          {"hidden", learning.shape.hidden},
          {"word_size", learning.shape.word_size},
          {"spelling_size", learning.shape.spelling_size},
          {"affix_rows", learning.shape.affix_rows},
          {"max_words", learning.max_words},
          {"min_count", learning.min_count},
          {"passes", learning.batches.passes},
          {"rate", learning.learning.rate},
          {"batch", learning.batches.batch_words},
          {"batch_parts", learning.batches.parts},
          {"hidden_share", learning.batches.hidden_share},
          {"dropout", learning.dropout},
          {"weight_decay", learning.learning.weight_decay},
          {"seed", learning.batches.seed},
          {"device", name(learning.device)},
          {"threads", options.threads},
          {"resume", options.resume}};
}

void add_facts(const PretrainOptions& options, std::uint64_t words, Precision precision,
               PretrainedEncoder& encoder) {
  const PretrainingOptions& learning = options.learning;
  encoder.add_fact("text", file_names(options.text));
  if (!options.licence.empty()) encoder.add_fact("licence", options.licence);
  encoder.add_fact("words of text", std::to_string(words));
  if (!options.treebank.empty()) encoder.add_fact("treebank", file_names(options.treebank));
  encoder.add_fact("words cut by", options.tokens);
  encoder.add_fact("max words", std::to_string(learning.max_words));
  encoder.add_fact("min count", std::to_string(learning.min_count));
  encoder.add_fact("passes", std::to_string(learning.batches.passes));
  encoder.add_fact("rate", fmt::format("{}", learning.learning.rate));
  encoder.add_fact("batch", std::to_string(learning.batches.batch_words));
  encoder.add_fact("batch parts", std::to_string(learning.batches.parts));
  encoder.add_fact("hidden share", fmt::format("{}", learning.batches.hidden_share));
  encoder.add_fact("dropout", fmt::format("{}", learning.dropout));
  encoder.add_fact("weight decay", fmt::format("{}", learning.learning.weight_decay));
  encoder.add_fact("seed", std::to_string(learning.batches.seed));
  encoder.add_fact("precision", std::string(name(precision)));
  encoder.add_fact("device", std::string(name(learning.device)));
  encoder.add_fact("program", "copse " COPSE_VERSION);
}

// Of a team, rank 0 alone has the text: the others get their parts of its batches.
std::unique_ptr<EncoderText> read_text(const PretrainOptions& options, TaskPool& pool,
                                       PretrainReport& report) {
  std::unique_ptr<EncoderText> text;
  TextWordsOptions words{options.text, {}, true};
  if (pool.team().leads()) {
    text = std::make_unique<EncoderText>(folder_of(options.output), options.learning.shape.affix_rows);
    if (options.tokens == "segmenter") words.segmenter = SegmenterModel::load(model_path(options.model));
    for (const Sentence& sentence : read_treebanks(options.treebank, std::numeric_limits<int>::max())) {
      for (const Token& word : sentence.words()) text->count(word.form(), kTreebankCount);
    }
  }
  report.start("cutting the text into words");
  bool is_stopped = false;
  try {
    if (text) {
      read_text_words(words, pool, *text, [&](const TextPosition& position) { report.on_text(position); });
    }
  } catch (const TrainingStopped&) {
    is_stopped = true;
  }
  if (pool.team().any(is_stopped)) throw TrainingStopped();
  return text;
}

void pretrain(const PretrainOptions& options) {
  const auto start = TrainingLog::Clock::now();
  const Device device = options.learning.device;
  if (!is_available(device)) throw DataError(why_unavailable(device));
  expect_place_for(options.folder(), current_team());
  TrainingLog log(start);
  if (current_team().leads()) log.open(options.log(), options.resume);
  log.write("start", settings_json(options));
  TaskPool pool(options.threads, current_team());
  std::unique_ptr<EncoderText> text;
  const auto learn = [&] {
    const StopSignals signals;
    PretrainReport report(log, options);
    try {
      text = read_text(options, pool, report);
      return copse::pretrain(text.get(), options.learning, {options.folder().checkpoints(), options.resume},
                             pool, report);
    } catch (const TrainingStopped&) {
      report_stop(options.folder(), log, report.last_iteration());
    } catch (const DataError& error) {
      log.write("error", {{"message", error.what()}});
      throw;
    }
  };
  PretrainedEncoder encoder = learn();
  const Precision precision = common_precision(pool.team(), options.learning.precision, device);
  if (pool.team().leads()) {
    add_facts(options, text->words(), precision, encoder);
    encoder.save(options.output);
  }
  CheckpointFolder(options.folder().checkpoints(), 0, pool.team()).remove();
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(options.output, error);
  const std::int64_t bytes = error ? 0 : static_cast<std::int64_t>(size);
  const TeamReport team = team_report(current_team(), log.seconds());
  nlohmann::ordered_json end = {{"encoder_bytes", bytes}, {"seconds", log.seconds()}};
  end.update(team_json(team));
  log.write("end", end);
  write_output(fmt::format("{}: {}, {} of {} units, {}\n", printable(options.output),
                           counted(static_cast<std::int64_t>(encoder.vectors().size()), "word"),
                           counted(static_cast<std::int64_t>(encoder.shape().layers), "layer"),
                           encoder.shape().hidden, counted(bytes, "byte")) +
               team_text(team));
}

void add_text_options(CLI::App& command, PretrainOptions& options) {
  command.add_option("FILES,--text", options.text, "Text to learn from; - is the standard input")
      ->required()
      ->option_text("FILE ...");
  command.add_option("--output", options.output, "The encoder; the file appears when it is complete")
      ->required()
      ->option_text("FILE");
  add_cutting_options(command, options.model, options.tokens);
  command
      .add_option("--treebank", options.treebank,
                  "Trees that a parser will learn from: their words count five times each when the words "
                  "are chosen")
      ->option_text("FILE ...");
  command.add_option("--max-words", options.learning.max_words, "Words that are known, at most")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000'000}))
      ->option_text(fmt::format("N [{}]", options.learning.max_words));
  command.add_option("--min-count", options.learning.min_count, "Words that come less often are unknown")
      ->check(CLI::PositiveNumber)
      ->option_text(fmt::format("N [{}]", options.learning.min_count));
  command
      .add_option("--licence", options.licence,
                  "Of the text: goes into the encoder, and into every model that is made with it")
      ->option_text("TEXT");
}

void add_learning_options(CLI::App& command, PretrainOptions& options) {
  PretrainingOptions& learning = options.learning;
  add_choice(command, "--size", options.size, parse_network_size, {"small", "standard", "large"},
             "Of the parser's network that it is for: small parses fastest, large is the most accurate")
      ->option_text("NAME [standard]");
  add_size_option(command, "--layers", options.layers, "Layers of the encoder", 1, 8);
  add_size_option(command, "--hidden", options.hidden, "Units of a layer, in each direction", 16, 2048);
  add_size_option(command, "--word-size", options.word_size, "Numbers that are learnt for each word", 1,
                  1024);
  add_size_option(command, "--spelling-size", options.spelling_size, "Numbers that its spelling makes", 2,
                  1024);
  add_size_option(command, "--affix-rows", options.affix_rows,
                  "Different prefixes, suffixes and shapes, for each kind of them", 16, 1 << 20)
      ->option_text("N [4096]");
  command.add_option("--passes", learning.batches.passes, "How often to go through the text")
      ->check(CLI::Range(1, 1000))
      ->option_text(fmt::format("N [{}]", learning.batches.passes));
  const auto add_number = [&command](const std::string& name, float& value, const std::string& what,
                                     double least, double most, const std::string& text) {
    command.add_option(name, value, what)->check(CLI::Range(least, most))->option_text(text);
  };
  add_number("--rate", learning.learning.rate,
             "Of learning; it rises in the first 300 steps, and falls to a twentieth", 1e-6, 1.0,
             "R [0.002]");
  command.add_option("--batch", learning.batches.batch_words, "Words that each step learns from")
      ->check(CLI::Range(1, 10'000'000))
      ->option_text(fmt::format("N [{}]", learning.batches.batch_words));
  command
      .add_option(
          "--batch-parts", learning.batches.parts,
          "Parts of a batch: as many threads, of all processes, share it, and the encoder depends on it")
      ->check(CLI::Range(1, 64))
      ->option_text(fmt::format("N [{}]", learning.batches.parts));
  add_number("--hidden-share", learning.batches.hidden_share, "Of the words: so many are to be guessed", 0.01,
             0.9, "P [0.2]");
  add_number("--dropout", learning.dropout, "Share of each layer's numbers that are left out while learning",
             0.0, 0.9, "P [0.1]");
  add_number("--weight-decay", learning.learning.weight_decay,
             "Weights shrink by this, times the rate, in each step", 0.0, 1.0, "W [0.01]");
  command.add_option("--seed", learning.batches.seed, "Of all that is random")->option_text("N [1]");
  add_precision_option(command, learning.precision);
  add_device_option(command, learning.device);
  add_threads_option(command, options.threads);
  command.add_flag("--resume", options.resume,
                   "Go on where a run with the same text and options was stopped");
}

}  // namespace

void add_pretrain(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("pretrain", "Learn an encoder from plain text, for parsers to begin with");
  command->footer(
      "Learns from text (UTF-8, plain, gzip or zstd, of any size) what words mean in their context:\n"
      "a fifth of the words is hidden, and a network learns to guess them from the others. `copse\n"
      "train --potentials network --encoder` begins with the part of it that reads words, and makes\n"
      "parsers that are more accurate, no larger and no slower. More text and more passes help;\n"
      "tens of millions of words take minutes on a GPU (--device cuda) and days on processors.\n\n"
      "The text is cut into words once, by the segmenter of --model; they lie in a temporary file\n"
      "beside the output, four bytes each. Words are known in lower case, the most frequent ones;\n"
      "of others, and of upper case, prefixes, suffixes and shape are read.\n\n"
      "Beside the encoder, NAME.log.jsonl tells the story of the run, one JSON object per line,\n"
      "and the folder NAME.checkpoint holds what --resume needs until the end. Ctrl-C stops\n"
      "after the current million words, a second one at once; --resume cuts the text again, goes\n"
      "on and gives the very encoder that an undisturbed run would have given.\n\n"
      "Examples:\n"
      "  copse pretrain --text wiki.txt.zst --treebank train.conllu --output en.encoder\n"
      "  copse pretrain --text wiki.txt.zst --device cuda --passes 20 --output en.encoder\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --pipeline \\\n"
      "              --potentials network --encoder en.encoder");
  auto options = std::make_shared<PretrainOptions>();
  options->learning.batches.passes = 10;
  add_text_options(*command, *options);
  add_learning_options(*command, *options);
  command->callback([options, command] {
    check_usage(*command, *options);
    options->learning.shape = shape_of(*options);
    options->learning.learning.seed = options->learning.batches.seed;
    pretrain(*options);
  });
}

}  // namespace copse
