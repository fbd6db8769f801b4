#include "parse_any_language.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "default_model.h"
#include "number_text.h"
#include "parse_report.h"
#include "pipeline/language_reader.h"
#include "pipeline/stream_parser.h"
#include "render/text_width.h"
#include "sentence_output.h"
#include "sentence_stream.h"
#include "treebank_input.h"
#include "watched_input.h"

namespace copse {
namespace {

void check_options(const ParseCommandOptions& options) {
  const auto refuse = [](const char* option, const char* why) { throw CLI::ValidationError(option, why); };
  const std::string& format = options.input.format;
  if (!format.empty() && format != "text" && format != "lines") {
    refuse("--model", "auto is for text; name a model for sentences that are cut into words");
  }
  if (options.output.ends_with('/')) refuse("--model", "auto writes one file; leave out the / of --output");
  for (const FoundModel& model : known_models()) expect_no_input("--output", options.output, {model.path});
  if (options.input.ranges) refuse("--ranges", "does not go with --model auto");
}

// A treebank would be read as if its columns were words.
void expect_text(const std::string& path, const std::string& format) {
  if (!format.empty() || path == "-") return;
  const InputLook look = look_at_input(path, format);
  if (look.is_nothing || look.format == "text") return;
  throw DataError(fmt::format(
      "{}: looks like a treebank, which is cut into words already; name a model, or say --input-format text "
      "if it is text",
      printable(path)));
}

// One model after the other, each when it is needed for the first time.
class Models {
 public:
  Models(const ParseCommandOptions& options, std::vector<KnownLanguage> languages)
      : options_(options), languages_(std::move(languages)) {}

  std::span<const KnownLanguage> languages() const { return languages_; }
  const Model& of(std::size_t language) {
    const auto found = models_.find(language);
    if (found != models_.end()) return found->second;
    ParseCommandOptions own = options_;
    own.model = languages_[language].path;
    return models_.emplace(language, load_model(own)).first->second;
  }

 private:
  const ParseCommandOptions& options_;
  std::vector<KnownLanguage> languages_;
  std::map<std::size_t, Model> models_;
};

struct FileStart {
  std::int64_t sentences_before;
  std::string name;
};

// Makes one report of what several parsers say, which take turns.
class JointObserver : public ParsingObserver {
 public:
  explicit JointObserver(ParseReport& report) : report_(report) {}

  // Before another parser takes over.
  void begin() {
    sentences_before_ += std::exchange(own_sentences_, 0);
    words_before_ += std::exchange(own_words_, 0);
  }
  void on_sentence(std::int64_t, const PipelineItem& item) override { report_.on_sentence(++number_, item); }
  void on_progress(std::int64_t sentences, std::int64_t words) override {
    own_sentences_ = sentences;
    own_words_ = words;
    report_.on_progress(sentences_before_ + sentences, words_before_ + words);
  }

 private:
  ParseReport& report_;
  std::int64_t number_ = 0;
  std::int64_t sentences_before_ = 0, words_before_ = 0;
  std::int64_t own_sentences_ = 0, own_words_ = 0;
};

}  // namespace

bool is_automatic(const ParseCommandOptions& options) { return options.model == "auto"; }

void parse_in_any_language(const ParseCommandOptions& options) {
  check_options(options);
  Models models(options, known_languages());
  if (models.languages().empty()) {
    throw DataError("no model knows what its language looks like; `copse models` lists all that there are");
  }
  report_loss(options.output_format, options.writes_probabilities());
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  std::vector<FileStart> files;
  ParseReport report(
      progress.line(),
      [&files](std::int64_t number, const PipelineItem&) {
        const auto file = std::find_if(files.rbegin(), files.rend(), [number](const FileStart& start) {
          return start.sentences_before < number;
        });
        return fmt::format("{}: sentence {}", printable(file->name),
                           grouped(number - file->sentences_before));
      },
      [&progress](const ParseTotals& totals) { progress.advance(totals.sentences, totals.words); });
  JointObserver observer(report);
  std::unique_ptr<StreamParser> parser;
  const auto flush = [&parser] {
    if (parser) parser->flush();
  };
  std::int64_t sentences = 0;
  try {
    for (const std::string& path : options.input.files) {
      const std::string name = input_name(path);
      files.push_back({sentences, name});
      position.size = input_size(path);
      position.bytes_read = 0;
      TextOptions text;
      if (options.input.no_headings) text.lines = TextLines::space;
      if (options.input.format == "lines") text.lines = TextLines::sentences;
      if (options.input.files.size() > 1) text.document = printable(name);
      expect_text(path, options.input.format);
      LanguageReader reader(
          decompress(std::make_unique<WatchedInput>(path, position, flush), name), models.languages(),
          [&models](std::size_t language) -> const Model& { return models.of(language); }, name, text);
      std::optional<std::size_t> language;
      flush();
      parser.reset();
      for (Sentence sentence; reader.next(sentence);) {
        give_sent_id(options.input, ++sentences, sentence);
        if (language != reader.language()) {
          flush();
          observer.begin();
          language = reader.language();
          parser = std::make_unique<StreamParser>(models.of(*language), options.parse_options(), pool,
                                                  output.writer(), observer);
        }
        parser->add(std::move(sentence));
      }
    }
  } catch (const DataError&) {
    flush();  // what came before is good
    throw;
  }
  flush();
  report_untagged(report.totals(), progress.line());
  output.close();
  progress.finish();
  expect_no_conflicts(report.totals(), options.conflict);
}

}  // namespace copse
