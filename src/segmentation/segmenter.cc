#include <fmt/format.h>

#include <algorithm>

#include "copse/error.h"
#include "segmentation/block_segmenter.h"
#include "segmentation/heading.h"
#include "segmentation/list_lines.h"
#include "segmentation/segmenter.h"
#include "text/utf8.h"

namespace copse {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0'; }

}  // namespace

// Cuts text into paragraphs, and long paragraphs into blocks.
class Segmenter::Impl {
 public:
  Impl(const SegmenterModel& segmenter, OnSentence on_sentence, const TextOptions& options, std::string name)
      : blocks_(segmenter, std::move(on_sentence), options), lines_(options.lines), name_(std::move(name)) {}

  void add(std::string_view bytes) {
    buffer_ += bytes;
    for (; scanned_ < buffer_.size(); ++scanned_) {
      const char c = buffer_[scanned_];
      if (c == '\n') {
        if (is_blank_line_) {
          segment(scanned_ + 1, BlockEnd::paragraph);
          continue;
        }
        is_blank_line_ = true;
        if (lines_ == TextLines::sentences) {
          segment(scanned_ + 1, BlockEnd::line);
          continue;
        }
      } else if (is_blank_line_ && !is_blank(c)) {
        is_blank_line_ = false;
      }
      if (scanned_ + 1 - begin_ >= kMostBlockBytes) segment(character_start(scanned_ + 1), BlockEnd::nothing);
    }
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
  }

  void finish() {
    segment(buffer_.size(), BlockEnd::text);
    buffer_.clear();
    begin_ = 0;
    scanned_ = 0;
    is_blank_line_ = true;
    is_text_start_ = true;
    is_paragraph_start_ = true;
    is_in_list_ = false;
    line_ = 1;
  }

 private:
  // The end of the last whole character before `end`.
  std::size_t character_start(std::size_t end) const {
    constexpr std::size_t kLongestCharacter = 4;
    for (std::size_t back = 1; back < kLongestCharacter && back < end - begin_; ++back) {
      const auto byte = static_cast<unsigned char>(buffer_[end - back]);
      if (byte < 0x80) break;
      if (byte >= 0xC0) {
        const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        return length > back ? end - back : end;
      }
    }
    return end;
  }

  void segment(std::size_t end, BlockEnd kind) {
    std::string_view text = std::string_view(buffer_).substr(begin_, end - begin_);
    if (std::exchange(is_text_start_, false) && text.starts_with(kByteOrderMark)) {
      text.remove_prefix(kByteOrderMark.size());
      begin_ += kByteOrderMark.size();
      blocks_.skip_character();
    }
    const std::size_t valid = valid_utf8_prefix(text);
    if (valid < text.size()) fail(text, valid);
    if (std::exchange(is_paragraph_start_, kind != BlockEnd::nothing) && lines_ == TextLines::headings) {
      if (const std::size_t heading = heading_bytes(text)) {
        use(text.substr(0, heading), BlockEnd::line);
        text.remove_prefix(heading);
      }
    }
    if (lines_ == TextLines::headings && use_lists(text, kind)) return;
    use(text, kind);
  }

  // Takes the lists of a block, and what is before them, away from its text. True if nothing is left to do.
  bool use_lists(std::string_view& text, BlockEnd kind) {
    const bool goes_on = kind == BlockEnd::nothing;
    bool has_list = false;
    for (bool is_continued = std::exchange(is_in_list_, false);; is_continued = false) {
      const LineRun list = find_list(text, {goes_on, is_continued});
      if (list.empty()) break;
      has_list = true;
      if (list.begin > 0) use(text.substr(0, list.begin), BlockEnd::line);
      const bool ends_block = list.end == text.size() && !goes_on;
      use_items(text.substr(list.begin, list.end - list.begin), ends_block ? kind : BlockEnd::line);
      text.remove_prefix(list.end);
    }
    // What follows is seen again with more behind it; if that is a part of a line, it may be another item.
    is_in_list_ = has_list && goes_on && text.find('\n') == std::string_view::npos;
    return has_list && (goes_on || text.empty());
  }

  void use_items(std::string_view items, BlockEnd last) {
    while (!items.empty()) {
      std::size_t end = std::min(items.find('\n'), items.size() - 1) + 1;
      const bool is_last = items.find_first_not_of(" \t\r\v\f\n", end) == std::string_view::npos;
      if (is_last) end = items.size();
      use(items.substr(0, end), is_last ? last : BlockEnd::line);
      items.remove_prefix(end);
    }
  }

  void use(std::string_view text, BlockEnd kind) {
    const std::size_t used = blocks_.segment(text, kind);
    line_ += static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(used), '\n'));
    begin_ += used;
  }

  [[noreturn]] void fail(std::string_view text, std::size_t valid) const {
    const std::string_view before = text.substr(0, valid);
    const auto line = line_ + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    throw DataError(fmt::format("{}:{}: invalid UTF-8, {}; convert the text to UTF-8", name_, line,
                                quoted(text.substr(valid, 1))));
  }

  BlockSegmenter blocks_;
  TextLines lines_;
  std::string name_;
  std::string buffer_;
  std::size_t begin_ = 0;      // of what has not been segmented
  std::size_t scanned_ = 0;    // where to look for the end of the paragraph
  bool is_blank_line_ = true;  // so far
  bool is_text_start_ = true;
  bool is_paragraph_start_ = true;
  bool is_in_list_ = false;  // the block before ended behind an item of a list
  std::size_t line_ = 1;     // that begin_ is in
};

Segmenter::Segmenter(const SegmenterModel& segmenter, OnSentence on_sentence, const TextOptions& options,
                     std::string name)
    : impl_(std::make_unique<Impl>(segmenter, std::move(on_sentence), options, std::move(name))) {}
Segmenter::~Segmenter() = default;
Segmenter::Segmenter(Segmenter&&) noexcept = default;
Segmenter& Segmenter::operator=(Segmenter&&) noexcept = default;

void Segmenter::add(std::string_view bytes) { impl_->add(bytes); }
void Segmenter::finish() { impl_->finish(); }

std::vector<Sentence> segment_text(const SegmenterModel& segmenter, std::string_view text,
                                   const TextOptions& options, const std::string& name) {
  std::vector<Sentence> sentences;
  Segmenter segments(
      segmenter, [&sentences](Sentence&& sentence) { sentences.push_back(std::move(sentence)); }, options,
      name);
  segments.add(text);
  segments.finish();
  return sentences;
}

}  // namespace copse
