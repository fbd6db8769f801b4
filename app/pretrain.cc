#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "current_team.h"
#include "default_model.h"
#include "number_text.h"
#include "option_values.h"
#include "pipeline/model_settings.h"
#include "pretraining/pretrainer.h"
#include "render/text_width.h"
#include "request_options.h"
#include "run_files.h"
#include "run_report/setting_json.h"
#include "run_report/team_report.h"
#include "stage_progress.h"
#include "stop_signals.h"
#include "text_words.h"
#include "training/check_request.h"
#include "training/model_facts.h"
#include "training/pretrain_options.h"
#include "treebank_input.h"

namespace copse {
namespace {

// How often a word of the treebank counts: parsers will need it, even if the text has it rarely.
constexpr std::uint64_t kTreebankCount = 5;

RunFolder run_folder(const PretrainRequest& request) { return {request.output, "output", request.resume}; }

// Tells people on the standard error and programs in the log how it goes.
class PretrainReport : public PretrainingObserver {
 public:
  PretrainReport(TrainingLog& log, const PretrainRequest& request)
      : log_(log), request_(request), progress_(line_), traffic_(current_team()) {}

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
    start(fmt::format("learning to guess hidden words, on the {}", name(request_.learning.device)));
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
      if (request_.resume && !is_resumed_) progress_.print("  nothing to resume; from the beginning");
    }
    ++steps_;
    words_ = progress.words;
    const double share = static_cast<double>(progress.words) / static_cast<double>(progress.total);
    // The time that is left is that of this program, which may have begun in the middle.
    const double own = static_cast<double>(progress.words - first_words_) /
                       static_cast<double>(progress.total - first_words_);
    const int passes = request_.learning.batches.passes;
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
  const PretrainRequest& request_;
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

// Where the encoder comes from; its settings say the rest.
void add_facts(const PretrainRequest& request, std::uint64_t words, PretrainedEncoder& encoder) {
  encoder.add_fact("text", file_names(request.text));
  if (!request.licence.empty()) encoder.add_fact("licence", request.licence);
  encoder.add_fact("words of text", std::to_string(words));
  encoder.add_fact("program", "copse " COPSE_VERSION);
}

void save(const PretrainedEncoder& encoder, const PretrainRequest& request) {
  SectionFileWriter file(request.output);
  encoder.add_to(file);
  add_settings(file, encoder_settings(request));
  file.close();
}

// Of a team, rank 0 alone has the text: the others get their parts of its batches.
std::unique_ptr<EncoderText> read_text(const PretrainRequest& request, const NetworkShape& shape,
                                       TaskPool& pool, PretrainReport& report) {
  std::unique_ptr<EncoderText> text;
  TextWordsOptions words{request.text, {}, true};
  if (pool.team().leads()) {
    text = std::make_unique<EncoderText>(folder_of(request.output), shape);
    if (!request.cuts_at_spaces) words.segmenter = SegmenterModel::load(request.model);
    for (const Sentence& sentence : read_treebanks(request.treebank, std::numeric_limits<int>::max())) {
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

void run_pretrain(const PretrainRequest& asked) {
  const auto start = TrainingLog::Clock::now();
  Team& team = current_team();
  const Device device = asked.learning.device;
  if (!is_available(device)) throw DataError(why_unavailable(device));
  const RunFolder folder = run_folder(asked);
  expect_place_for(folder, team);
  PretrainRequest request = effective_request(asked, team);
  if (team.leads() && !request.cuts_at_spaces) request.model = model_path(request.model);
  const PretrainingOptions options = pretraining_options(request);
  TrainingLog log(start);
  if (team.leads()) log.open(request.log(), request.resume);
  nlohmann::ordered_json settings = {{"program", "copse " COPSE_VERSION}};
  settings.update(request_json(request));
  log.write("start", settings);
  TaskPool pool(*request.threads, team);
  std::unique_ptr<EncoderText> text;
  const auto learn = [&] {
    const StopSignals signals;
    PretrainReport report(log, request);
    try {
      text = read_text(request, options.shape, pool, report);
      return pretrain(text.get(), options, {request.checkpoints(), request.resume, fingerprint(request)},
                      pool, report);
    } catch (const TrainingStopped&) {
      report_stop(folder, log, report.last_iteration());
    } catch (const DataError& error) {
      log.write("error", {{"message", error.what()}});
      throw;
    }
  };
  PretrainedEncoder encoder = learn();
  if (team.leads()) {
    add_facts(request, text->words(), encoder);
    save(encoder, request);
  }
  CheckpointFolder(request.checkpoints(), 0, team).remove();
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(request.output, error);
  const std::int64_t bytes = error ? 0 : static_cast<std::int64_t>(size);
  const TeamReport team_times = team_report(team, log.seconds());
  nlohmann::ordered_json end = {{"encoder_bytes", bytes}, {"seconds", log.seconds()}};
  end.update(team_json(team_times));
  log.write("end", end);
  write_output(fmt::format("{}: {}, {} of {} units, {}\n", printable(request.output),
                           counted(static_cast<std::int64_t>(encoder.vectors().size()), "word"),
                           counted(static_cast<std::int64_t>(encoder.shape().layers), "layer"),
                           encoder.shape().hidden, counted(bytes, "byte")) +
               team_text(team_times));
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
  auto request = std::make_shared<PretrainRequest>();
  add_options(*command, pretrain_options(), *request);
  command->callback([request] {
    as_usage([&] { check_request(*request, current_team()); });
    run_pretrain(*request);
  });
}

}  // namespace copse
