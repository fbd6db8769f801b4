#include "corpus/shards.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "io/byte_source.h"
#include "text/utf8.h"

namespace copse {
namespace {

// The segmenter looks at so much text at once, at most, and what it does with longer paragraphs may reach
// into the next one: spaces at the end of a block are said of the word that follows. A cut comes only after a
// paragraph, or line, that is shorter for certain.
constexpr std::uint64_t kLongestParagraph = 8000;

// What matters about a line, whose bytes need not be in memory at once.
struct Line {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // behind its line break
  bool is_empty = true;   // as treebanks have it: nothing but the line break
  bool is_blank = true;   // as text has it: nothing but spaces
  bool has_word = false;  // a letter or digit of ASCII: certainly something that is a word, or part of one
  std::size_t mark_bytes = 0;  // of a byte order mark, which means something at the beginning of a file only

  bool has_mark() const { return mark_bytes == kByteOrderMark.size(); }

  void add(char c) {
    const std::uint64_t position = end++ - begin;
    if (position == mark_bytes && position < kByteOrderMark.size() && c == kByteOrderMark[position]) {
      ++mark_bytes;
    }
    if (c == '\n') return;
    // A carriage return belongs to the line break only right before it.
    if (has_return_) is_empty = false;
    has_return_ = c == '\r';
    if (c != '\r') is_empty = false;
    constexpr std::string_view kBlanks("\t\r\v\f \0", 6);
    if (kBlanks.find(c) == std::string_view::npos) is_blank = false;
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) has_word = true;
  }

 private:
  bool has_return_ = false;
};

// The lines of a file from some byte on.
class LineScanner {
 public:
  LineScanner(const std::string& path, std::uint64_t begin, std::uint64_t end)
      : source_(open_file_part(path, begin, end)), position_(begin), buffer_(std::size_t{64} << 10) {}

  // False at the end; what comes after the last line break is a line, too.
  bool next(Line& line) {
    line = {};
    line.begin = line.end = position_;
    while (next_ < filled_ || fill()) {
      const char c = buffer_[next_++];
      line.add(c);
      ++position_;
      if (c == '\n') return true;
    }
    return line.end > line.begin;
  }

 private:
  bool fill() {
    next_ = 0;
    filled_ = source_->read(buffer_);
    return filled_ > 0;
  }

  std::unique_ptr<ByteSource> source_;
  std::uint64_t position_;
  std::vector<char> buffer_;
  std::size_t next_ = 0;
  std::size_t filled_ = 0;
};

// Goes over lines and says between which of them a file can be cut.
class CutFinder {
 public:
  explicit CutFinder(CutPlaces places) : places_(places) {}

  // Whether the file can be cut before this line, given those that came before.
  bool can_cut_before(const Line& line) const {
    if (!is_after_end_ || line.has_mark()) return false;
    return places_ != CutPlaces::text_lines || line.is_blank || line.has_word;
  }

  void pass(const Line& line) {
    switch (places_) {
      case CutPlaces::nowhere:
        break;
      case CutPlaces::sentences:
        // Further empty lines belong to the sentence that comes after them.
        is_after_end_ = line.is_empty && is_in_paragraph_;
        is_in_paragraph_ = !line.is_empty;
        break;
      case CutPlaces::paragraphs:
        pass_text(line);
        break;
      case CutPlaces::text_lines:
        is_after_end_ = line.has_word && line.end - line.begin <= kLongestParagraph;
        break;
      case CutPlaces::lines:
        is_after_end_ = true;
        break;
    }
  }

 private:
  void pass_text(const Line& line) {
    const bool ends_paragraph = line.is_blank && is_in_paragraph_;
    is_after_end_ = ends_paragraph && has_word_ && line.end - paragraph_ <= kLongestParagraph;
    if (line.is_blank) {
      paragraph_ = line.end;
      is_start_known_ = true;
      has_word_ = false;
      is_in_paragraph_ = false;
    } else if (is_start_known_) {
      is_in_paragraph_ = true;
      has_word_ = has_word_ || line.has_word;
    }
  }

  CutPlaces places_;
  bool is_after_end_ = false;
  bool is_in_paragraph_ = false;
  bool is_start_known_ = false;  // where the paragraph begins has been seen:
  std::uint64_t paragraph_ = 0;
  bool has_word_ = false;
};

struct Cut {
  std::uint64_t place;
  bool continues_paragraph;
};

// The first place at or behind `from`, if there is one before `size`. Nothing is known of the line that
// `from` lies in, as it may have begun earlier.
std::optional<Cut> find_cut(const std::string& path, CutPlaces places, std::uint64_t from,
                            std::uint64_t size) {
  LineScanner lines(path, from, size);
  CutFinder finder(places);
  Line line;
  if (!lines.next(line)) return std::nullopt;
  while (lines.next(line)) {
    if (finder.can_cut_before(line)) {
      return Cut{line.begin, places == CutPlaces::text_lines && line.has_word};
    }
    finder.pass(line);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Shard> cut_into_shards(const std::string& path, CutPlaces places, std::uint64_t size,
                                   std::uint64_t shard_bytes) {
  std::vector<Shard> shards = {{0, size, false}};
  if (places == CutPlaces::nowhere) return shards;
  while (size - shards.back().begin > shard_bytes) {
    const std::optional<Cut> cut = find_cut(path, places, shards.back().begin + shard_bytes, size);
    if (!cut) break;
    shards.back().end = cut->place;
    shards.push_back({cut->place, size, cut->continues_paragraph});
  }
  return shards;
}

std::uint64_t count_lines_before(const std::string& path, std::uint64_t end) {
  const std::unique_ptr<ByteSource> source = open_file_part(path, 0, end);
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t lines = 0;
  while (const std::size_t count = source->read(buffer)) {
    lines += static_cast<std::uint64_t>(
        std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
  }
  return lines;
}

std::string with_lines_before(const std::string& message, const std::string& name,
                              std::uint64_t lines_before) {
  if (!message.starts_with(name + ":")) return message;
  const char* const begin = message.data() + name.size() + 1;
  const char* const end = message.data() + message.size();
  std::uint64_t line = 0;
  const auto [rest, error] = std::from_chars(begin, end, line);
  if (error != std::errc() || rest == end || *rest != ':') return message;
  return name + ":" + std::to_string(line + lines_before) + std::string(rest, end);
}

}  // namespace copse
