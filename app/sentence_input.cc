#include "sentence_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "render/text_width.h"
#include "status_line.h"
#include "text/utf8.h"
#include "treebank_input.h"

namespace copse {
namespace {

void add_input(CLI::App& command, SentenceInputOptions& options, const std::string& what,
               const std::vector<std::string>& formats, const std::string& format_text) {
  command
      .add_option("FILES,--input", options.files, what + ", gzip or zstd data too; - is the standard input")
      ->option_text("FILE ... [-]");
  command.add_option("--input-format", options.format, format_text)
      ->check(CLI::IsMember(formats))
      ->option_text(formats.size() > 2 ? "NAME [by name or first line]" : "NAME [text]");
  command.add_flag("--no-headings", options.no_headings,
                   "Of text: a heading does not end where its line ends, but where the model says so");
  command.add_flag("--ranges", options.ranges,
                   "Of text: say in MISC where tokens stand in it, in characters: TokenRange=0:5");
  command
      .add_option("--sent-ids", options.sent_ids,
                  "Give sentences that have no sent_id one: PREFIX-1, PREFIX-2 and so on")
      ->check([](const std::string& prefix) {
        const bool is_plain = is_valid_utf8(prefix) && prefix.find_first_of("\t\n\r") == std::string::npos;
        return is_plain && !prefix.empty() ? "" : "this cannot be a part of a sent_id";
      })
      ->option_text("PREFIX");
}

// What does not exist is better said now than after hours of work on other files.
void expect_files(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-") continue;
    if (std::filesystem::is_directory(path, error)) {
      throw DataError(fmt::format("{}: is a folder; name the files in it, such as {}{}*.txt", path, path,
                                  path.ends_with('/') ? "" : "/"));
    }
    if (!std::filesystem::exists(path, error)) open_file(path);  // which says why
  }
}

std::int64_t total_size(const std::vector<std::string>& paths) {
  std::int64_t sum = 0;
  for (const std::string& path : paths) {
    const std::int64_t size = input_size(path);
    if (size == 0) return 0;
    sum += size;
  }
  return sum;
}

// Somebody who typed no file and no pipe waits for the program, and the program for them.
void explain_terminal() {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) return;
  StatusLine().print("copse: reading what you type; end with Ctrl-D on a line of its own");
}

}  // namespace

void add_sentence_input(CLI::App& command, SentenceInputOptions& options) {
  add_input(command, options, "Text, or sentences that are cut into words",
            {"text", "lines", "tokens", "conllu", "conllx", "tab3"},
            "text; lines: text with one sentence on a line; tokens: the same, words separated by spaces; "
            "conllu, conllx or tab3");
  add_max_words_option(command, options.max_words);
}

void add_text_input(CLI::App& command, SentenceInputOptions& options) {
  add_input(command, options, "Text", {"text", "lines"}, "text; lines: one sentence on a line");
}

std::string usual_output_format(const SentenceInputOptions& options) {
  const auto suffix = [](const std::string& path) { return std::filesystem::path(path).extension(); };
  const std::vector<std::string>& files = options.files;
  const bool is_one_format = files.size() == 1 || !options.format.empty() ||
                             std::all_of(files.begin(), files.end(), [&](const std::string& path) {
                               return suffix(path) == suffix(files.front()) && !suffix(path).empty();
                             });
  return is_one_format ? "" : "conllu";
}

SentenceInput::SentenceInput(const SentenceInputOptions& options, const Component<SegmenterModel>& segmenter,
                             InputPosition& position, std::function<void()> before_waiting)
    : options_(&options),
      segmenter_(segmenter),
      position_(&position),
      before_waiting_(std::move(before_waiting)) {
  expect_files(options.files);
  position_->size = total_size(options.files);
}

SentenceInput SentenceInput::of_text(const SentenceInputOptions& options, const SegmenterModel& segmenter,
                                     InputPosition& position, std::function<void()> before_waiting) {
  SentenceInput input(options, segmenter, position, std::move(before_waiting));
  input.is_text_only_ = true;
  return input;
}

bool SentenceInput::next(Sentence& sentence) {
  while (!reader_ || !reader_->next(sentence)) {
    if (next_file_ == options_->files.size()) return false;
    open_next();
  }
  ++sentences_;
  give_sent_id(*options_, sentences_, sentence);
  return true;
}

SentenceInput::Place SentenceInput::place(std::int64_t number) const {
  const auto file = std::lower_bound(sentences_before_.begin(), sentences_before_.end(), number) - 1;
  return {input_name(options_->files[static_cast<std::size_t>(file - sentences_before_.begin())]),
          number - *file};
}

void SentenceInput::open_next() {
  const std::string& path = options_->files[next_file_++];
  sentences_before_.push_back(sentences_);
  reader_.reset();
  reader_ = open(path);
}

std::unique_ptr<SentenceReader> SentenceInput::open(const std::string& path) {
  if (path == "-") explain_terminal();
  SentenceOpening how;
  how.is_text_only = is_text_only_;
  if (options_->files.size() > 1) how.document = printable(input_name(path));
  return open_sentences(std::make_unique<WatchedInput>(path, *position_, before_waiting_), input_name(path),
                        *options_, segmenter_, how);
}

}  // namespace copse
