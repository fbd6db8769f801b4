#include "parse_folder.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <deque>
#include <filesystem>
#include <optional>
#include <utility>

#include "console.h"
#include "copse/error.h"
#include "corpus/folder_job.h"
#include "corpus/output_names.h"
#include "current_team.h"
#include "default_model.h"
#include "io/checksum.h"
#include "io/file_memory.h"
#include "number_text.h"
#include "parse_report.h"
#include "pipeline/model_components.h"
#include "render/rendering.h"
#include "render/text_width.h"
#include "sentence_output.h"
#include "treebank_input.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

std::string extension_of(std::string_view format) {
  if (format == "tab3") return ".dp";
  if (format == "json") return ".jsonl";
  if (format == "tree") return ".txt";
  return fmt::format(".{}", format);
}

// What the outputs depend on, beside the inputs.
std::vector<Manifest::Setting> settings_of(const ParseCommandOptions& options) {
  const std::string path = model_path(options.model);
  if (path == "-") throw DataError("<stdin>: a model for many files must have a name; give --model a file");
  const FileMemory model = map_or_read_file(path, 0, [](std::span<const std::byte>) { return UINT64_MAX; });
  const auto flag = [](bool is_set) -> std::string { return is_set ? "yes" : "no"; };
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string("none");
  };
  const SentenceInputOptions& input = options.input;
  return {{"version of copse", COPSE_VERSION},
          {"--model", fmt::format("{:016x}, {} bytes", checksum(model.bytes), model.bytes.size())},
          {"--input-format", input.format},
          {"--no-headings", flag(input.no_headings)},
          {"--ranges", flag(input.ranges)},
          {"--sent-ids", input.sent_ids.value_or("")},
          {"--output-format", options.output_format},
          {"--shard-bytes", std::to_string(options.shard_bytes)},
          {"--device", options.device == Device::cuda ? "cuda" : "cpu"},
          {"--decode", options.decode},
          {"--kbest", std::to_string(options.kbest)},
          {"--kbest-labels", flag(options.kbest_labels)},
          {"--probabilities", flag(options.probabilities)},
          {"--prune", number(options.prune)},
          {"--tag", options.tags},
          {"--no-labels", flag(options.no_labels)},
          {"--constraints", flag(options.constraints)},
          {"--min-confidence", number(options.min_confidence)},
          {"--doubtful", options.doubtful},
          {"--conflict", options.conflict}};
}

// Finds out what files are, what becomes of them, and where they can be cut.
class CorpusFinder {
 public:
  explicit CorpusFinder(const ParseCommandOptions& options) : options_(options) {}

  std::vector<CorpusFile> find() const {
    std::vector<CorpusFile> files;
    for (const NamedInput& input : find_inputs(options_.input.files)) files.push_back(describe(input));
    return files;
  }

 private:
  CorpusFile describe(const NamedInput& input) const {
    const InputLook look = look_at_input(input.path, options_.input.format);
    CorpusFile file;
    file.path = input.path;
    file.output = output_name(input.name, extension(input, look));
    file.is_compressed = look.is_compressed;
    file.size = fs::file_size(input.path);
    file.changed = fs::last_write_time(input.path).time_since_epoch().count();
    const CutPlaces places = cut_places(look, file);
    file.shards = cut_into_shards(file.path, places, file.size, options_.shard_bytes);
    return file;
  }

  // Empty: the file keeps its own.
  std::string extension(const NamedInput& input, const InputLook& look) const {
    if (!options_.output_format.empty()) return extension_of(options_.output_format);
    if (options_.writes_probabilities() || options_.input.sent_ids) return ".conllu";
    const std::string& format = options_.input.format.empty() ? look.format : options_.input.format;
    const bool is_text = !format.empty() && conll_format(format) == ConllFormat::detect;
    return is_text || (look.is_nothing && !is_treebank_name(input.name)) ? ".conllu" : "";
  }

  // Sets the format of a file that can be cut, too: that of a treebank is found at its beginning.
  CutPlaces cut_places(const InputLook& look, CorpusFile& file) const {
    const SentenceInputOptions& input = options_.input;
    const bool is_one_by_one =
        !parse_render_format(options_.output_format) || options_.output_format == "json";
    if (look.is_compressed || file.size <= options_.shard_bytes || !is_one_by_one || input.sent_ids) {
      return CutPlaces::nowhere;
    }
    file.format = input.format.empty() ? look.format : input.format;
    if (file.format == "tokens") return CutPlaces::lines;
    if (file.format == "lines") return input.ranges ? CutPlaces::nowhere : CutPlaces::text_lines;
    if (file.format == "text") return input.ranges ? CutPlaces::nowhere : CutPlaces::paragraphs;
    if (file.format.empty()) {
      // A file that begins like CoNLL-X may turn out to be CoNLL-U later.
      const ConllFormat found = first_format(file.path);
      if (found == ConllFormat::detect || found == ConllFormat::conllx) return CutPlaces::nowhere;
      file.format = format_name(found);
    }
    return CutPlaces::sentences;
  }

  ConllFormat first_format(const std::string& path) const {
    ConllReadOptions conll;
    conll.validate_trees = false;
    conll.max_words = options_.input.max_words;
    ConllReader reader(path, conll);
    Sentence sentence;
    reader.next(sentence);
    return reader.format();
  }

  const ParseCommandOptions& options_;
};

// Parses one task after the other. Sentences of several small files are parsed together, to keep all threads
// busy: a task is finished when its last sentence has come back.
class TaskParser : private SentenceWriter, private ParsingObserver {
 public:
  TaskParser(const ParseCommandOptions& options, FolderJob& job, const Model& model, TaskPool& pool)
      : options_(options),
        job_(job),
        segmenter_(model.components().segmenter),
        team_(pool.team()),
        report_(
            line_, [this](std::int64_t number, const PipelineItem& item) { return place(number, item); },
            [this](const ParseTotals& totals) { show(totals); }),
        parser_(model, options.parse_options(), pool, *this, *this) {
    report_.watch_language(model.components());
  }

  void parse(std::size_t task) {
    if (running_.size() >= kMostRunning) parser_.flush();
    auto output = std::make_unique<SentenceOutput>(job_.part_path(task), options_.output_format);
    running_.push_back({task, std::move(output), sentences_added_, std::nullopt, std::nullopt});
    add_sentences(running_.back());
    running_.back().end = sentences_added_;
    finish_tasks();
  }
  // After the last one.
  void finish() { parser_.flush(); }

  const ParseTotals& totals() const { return report_.totals(); }
  StatusLine& line() { return line_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct RunningTask {
    std::size_t number;
    std::unique_ptr<SentenceOutput> output;
    std::int64_t begin;                         // sentences of earlier tasks
    std::optional<std::int64_t> end;            // when all have been added
    std::optional<std::uint64_t> lines_before;  // the shard; counted when somebody asks
  };
  // Each has an open file.
  static constexpr std::size_t kMostRunning = 64;

  void add_sentences(RunningTask& task) {
    const CorpusFile& file = job_.file_of(task.number);
    const Shard& shard = job_.shard_of(task.number);
    const bool is_whole = job_.is_whole_file(task.number);
    SentenceInputOptions input = options_.input;
    if (!is_whole) input.format = file.format;
    SentenceOpening how;
    how.continues_paragraph = shard.continues_paragraph;
    std::unique_ptr<SentenceReader> reader;
    const auto read = [&](Sentence& sentence) {
      try {
        if (!reader) {
          reader = open_sentences(
              is_whole ? open_file(file.path) : open_file_part(file.path, shard.begin, shard.end), file.path,
              input, segmenter_, how);
        }
        return reader->next(sentence);
      } catch (const DataError& error) {
        parser_.flush();  // files that came before are good
        if (is_whole) throw;
        throw DataError(with_lines_before(message_of(error), file.path, lines_before(task)));
      }
    };
    for (Sentence sentence; read(sentence);) {
      give_sent_id(input, ++sentences_added_ - task.begin, sentence);
      parser_.add(std::move(sentence), reader->first_line());
    }
  }

  // The parser gives all sentences back in the order in which they were added: those of the first task that
  // runs come first.
  void write(const Sentence& sentence) override { running_.front().output->writer().write(sentence); }
  void flush() override {}
  void close() override {}

  void on_sentence(std::int64_t number, const PipelineItem& item) override {
    report_.on_sentence(number, item);
    sentences_written_ = number;
    finish_tasks();
  }
  void on_progress(std::int64_t sentences, std::int64_t words) override {
    report_.on_progress(sentences, words);
  }

  void finish_tasks() {
    while (!running_.empty() && running_.front().end == sentences_written_) {
      running_.front().output->close();
      job_.finish_task(running_.front().number);
      report_.begin_text();
      running_.pop_front();
    }
  }

  std::uint64_t lines_before(RunningTask& task) const {
    if (!task.lines_before) {
      task.lines_before =
          count_lines_before(job_.file_of(task.number).path, job_.shard_of(task.number).begin);
    }
    return *task.lines_before;
  }

  // How many sentences are before a shard, nobody knows.
  std::string place(std::int64_t number, const PipelineItem& item) {
    RunningTask& task = running_.front();
    std::string text = printable(job_.file_of(task.number).path);
    if (item.line > 0) text += fmt::format(":{}", item.line + lines_before(task));
    const std::uint64_t begin = job_.shard_of(task.number).begin;
    text += begin == 0 ? ": " : fmt::format(": from byte {} on, ", begin);
    text += fmt::format("sentence {}", grouped(number - task.begin));
    if (const auto id = item.sentence.sent_id()) text += fmt::format(" ({})", printable(*id));
    return text;
  }

  void show(const ParseTotals& totals) {
    if (!team_.leads()) return;
    std::string text = fmt::format("{}, {} per second", counted(totals.sentences, "sentence"),
                                   rate(static_cast<double>(totals.sentences) / seconds()));
    if (!team_.is_alone()) text = fmt::format("rank 0 of {}: {}", team_.size(), text);
    // Tasks before the last one that was begun are done, or will soon be, here or elsewhere.
    const double share = running_.empty() ? 1.0 : job_.share_before(running_.back().number);
    if (share > 0.0) text += fmt::format(", {} left", duration(seconds() * (1.0 - share) / share));
    line_.show(text);
  }

  const ParseCommandOptions& options_;
  FolderJob& job_;
  const Component<SegmenterModel>& segmenter_;
  const Team& team_;
  StatusLine line_;
  ParseReport report_;
  StreamParser parser_;
  std::deque<RunningTask> running_;
  std::int64_t sentences_added_ = 0;
  std::int64_t sentences_written_ = 0;
  Clock::time_point start_ = Clock::now();
};

ParseTotals add_up(Team& team, const ParseTotals& own) {
  std::array<std::int64_t, 7> numbers = {
      own.sentences,          own.words,    own.conflicts,       own.untagged_words,
      own.untagged_sentences, own.passages, own.strange_passages};
  team.add_up(numbers);
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]};
}

std::string final_report(const FolderJob& job, const ParseTotals& totals, double seconds) {
  const auto before = static_cast<std::int64_t>(job.complete_before());
  const auto files = static_cast<std::int64_t>(job.files().size()) - before;
  std::string text =
      fmt::format("copse: {}, {}, {} in {}", counted(files, "file"), counted(totals.sentences, "sentence"),
                  counted(totals.words, "word"), duration(seconds));
  if (totals.words > 0) {
    text += fmt::format(", {} words per second", rate(static_cast<double>(totals.words) / seconds));
  }
  if (before > 0) {
    text += fmt::format("; {} {} complete before", counted(before, "file"), before == 1 ? "was" : "were");
  }
  return text;
}

}  // namespace

bool is_folder_name(const std::string& output) {
  std::error_code error;
  return output.ends_with('/') || fs::is_directory(output, error);
}

void parse_to_folder(const ParseCommandOptions& options) {
  Team& team = current_team();
  const Model model = load_model(options);
  if (team.leads()) report_loss(options.output_format, options.writes_probabilities());
  FolderOptions folder;
  folder.folder = options.output;
  folder.overwrite = options.overwrite;
  folder.shard_bytes = options.shard_bytes;
  if (team.leads()) folder.settings = settings_of(options);
  FolderJob job(team, std::move(folder), [&options] { return CorpusFinder(options).find(); });
  TaskPool pool(options.threads, team);
  TaskParser parser(options, job, model, pool);
  {
    const std::unique_ptr<TaskDealer> dealer = make_dealer(job.tasks());
    while (const std::optional<std::size_t> task = dealer->next()) parser.parse(*task);
    parser.finish();
  }
  job.finish();
  const ParseTotals totals = add_up(team, parser.totals());
  if (!team.leads()) return;
  report_untagged(totals, parser.line());
  report_strange(totals, parser.line());
  parser.line().print(final_report(job, totals, parser.seconds()));
  expect_no_conflicts(totals, options.conflict);
}

}  // namespace copse
