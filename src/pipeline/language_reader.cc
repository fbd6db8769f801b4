#include "pipeline/language_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "copse/error.h"
#include "pipeline/model_components.h"
#include "segmentation/surface_text.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;
// Longer paragraphs are taken as they come.
constexpr std::size_t kLongestParagraph = std::size_t{256} << 10;
// With fewer letters, a paragraph says nothing by itself.
constexpr std::size_t kFewestLetters = 12;
// So much of a paragraph is looked at.
constexpr std::size_t kTellingBytes = 4000;

// Where the first paragraph ends, behind the empty line after it; npos: not yet.
std::size_t end_of_paragraph(std::string_view text) {
  std::size_t line = 0;
  bool has_content = false;
  for (;;) {
    const std::size_t end = text.find('\n', line);
    if (end == std::string_view::npos) return end;
    const bool is_empty =
        text.substr(line, end - line).find_first_not_of(" \t\r\v\f") == std::string_view::npos;
    if (is_empty && has_content) return end + 1;
    has_content = has_content || !is_empty;
    line = end + 1;
  }
}

// What can stand in a comment.
std::string one_line(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return name;
}

}  // namespace

LanguageReader::LanguageReader(std::unique_ptr<ByteSource> source, std::span<const KnownLanguage> languages,
                               ModelOf model_of, std::string name, const TextOptions& options)
    : source_(std::move(source)),
      languages_(languages),
      model_of_(std::move(model_of)),
      name_(std::move(name)),
      options_(options) {}

bool LanguageReader::next(Sentence& sentence) {
  while (sentences_.empty()) {
    if (!read_more()) return false;
  }
  sentence = std::move(sentences_.front().sentence);
  language_ = sentences_.front().language;
  sentences_.pop_front();
  return true;
}

// False if there is nothing left.
bool LanguageReader::read_more() {
  if (is_at_end_) return false;
  std::size_t end = end_of_paragraph(text_);
  while (end == std::string::npos && text_.size() < kLongestParagraph) {
    const std::size_t before = text_.size();
    text_.resize(before + kChunk);
    text_.resize(before + source_->read(std::span(text_).subspan(before)));
    if (text_.size() == before) {
      is_at_end_ = true;
      add_text(text_, true);
      if (!waiting_.empty()) add_waiting(likest_of(waiting_).value_or(0));
      for (auto& [language, own] : segmenters_) own.finish();
      return true;
    }
    end = end_of_paragraph(text_);
  }
  const bool is_whole = end != std::string::npos;
  if (!is_whole) {
    const std::size_t line = text_.rfind('\n');
    end = line == std::string::npos ? valid_utf8_prefix(text_) : line + 1;
    if (end == 0) end = text_.size();
  }
  add_text(std::string_view(text_).substr(0, end), is_whole);
  text_.erase(0, end);
  return true;
}

void LanguageReader::add_text(std::string_view text, bool is_whole) {
  if (const std::size_t valid = valid_utf8_prefix(text); valid < text.size()) {
    const auto before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(valid), '\n');
    throw DataError(fmt::format("{}:{}: invalid UTF-8; convert the text to UTF-8", name_,
                                lines_ + static_cast<std::size_t>(before) + 1));
  }
  lines_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const bool goes_on = std::exchange(is_in_paragraph_, !is_whole);
  if (!goes_on) {
    if (const auto language = likest_of(text)) paragraph_language_ = language;
    if (!paragraph_language_ && is_whole && waiting_.size() < kLongestParagraph) {
      waiting_ += text;
      return;
    }
    if (!waiting_.empty()) add_waiting(paragraph_language_.value_or(0));
  }
  segmenter(paragraph_language_.value_or(0)).add(text);
}

void LanguageReader::add_waiting(std::size_t language) {
  segmenter(language).add(std::exchange(waiting_, {}));
}

// Nothing if there are too few letters.
std::optional<std::size_t> LanguageReader::likest_of(std::string_view text) const {
  LetterGroups groups;
  groups.add(text.substr(0, kTellingBytes));
  const bool is_last = is_at_end_ && !paragraph_language_;  // there will be nothing better
  if (groups.letters() == 0 || (groups.letters() < kFewestLetters && !is_last)) return std::nullopt;
  return likest_language(languages_, groups);
}

Segmenter& LanguageReader::segmenter(std::size_t language) {
  const auto found = segmenters_.find(language);
  if (found != segmenters_.end()) return found->second;
  const auto add = [this, language](Sentence&& sentence) {
    if (begins_paragraph(sentence)) {
      sentence.add_comment("# language = " + one_line(languages_[language].name()));
    }
    sentences_.push_back({std::move(sentence), language});
  };
  const SegmenterModel& model = *model_of_(language).components().segmenter;
  Segmenter own(model, add, options_, name_);
  options_.document.clear();  // the first paragraph has it
  return segmenters_.emplace(language, std::move(own)).first->second;
}

}  // namespace copse
