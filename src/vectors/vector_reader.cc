#include "vectors/vector_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "io/bytes.h"
#include "io/section_file.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kOurMagic = "\211copse\r\n";
// The number 793712314 in four bytes, with which fastText begins its models.
constexpr std::string_view kFastTextMagic = "\xBA\x16\x4F\x2F";
constexpr std::size_t kReadBlock = std::size_t{1} << 16;
// A line with as many values as there can be, and more digits than they need.
constexpr std::size_t kMostLineBytes = std::size_t{1} << 20;

// The bytes of a source, looked at before they are taken.
class PeekableBytes {
 public:
  explicit PeekableBytes(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // What comes next: `count` bytes or more, fewer only at the end. Valid until the next call.
  std::string_view peek(std::size_t count) {
    while (filled_ - begin_ < count && fill()) {
    }
    return {buffer_.data() + begin_, filled_ - begin_};
  }
  // Up to the first `stop` (not included); nothing if there is none within `most` bytes.
  std::optional<std::string_view> peek_until(char stop, std::size_t most) {
    std::size_t searched = 0;
    for (;;) {
      const std::string_view text(buffer_.data() + begin_, filled_ - begin_);
      const std::size_t found = text.find(stop, searched);
      if (found != std::string_view::npos && found <= most) return text.substr(0, found);
      if (text.size() > most || !fill()) return std::nullopt;
      searched = text.size();
    }
  }
  void take(std::size_t count) { begin_ += count; }
  bool at_end() { return peek(1).empty(); }

 private:
  bool fill() {
    if (begin_ > 0) {
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
      filled_ -= std::exchange(begin_, 0);
    }
    if (filled_ == buffer_.size()) buffer_.resize(std::max(kReadBlock, 2 * buffer_.size()));
    const std::size_t count = source_->read(std::span(buffer_).subspan(filled_));
    filled_ += count;
    return count > 0;
  }

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t filled_ = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The first field, taken off the line.
std::string_view take_field(std::string_view& line) {
  const auto* begin = std::find_if_not(line.begin(), line.end(), is_blank);
  const auto* end = std::find_if(begin, line.end(), is_blank);
  const auto field =
      line.substr(static_cast<std::size_t>(begin - line.begin()), static_cast<std::size_t>(end - begin));
  line.remove_prefix(static_cast<std::size_t>(end - line.begin()));
  return field;
}

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Header {
  std::uint64_t words;
  std::uint64_t dimension;
};

std::optional<Header> parse_header(std::string_view line) {
  const std::optional<std::uint64_t> words = whole_number<std::uint64_t>(take_field(line));
  const std::optional<std::uint64_t> dimension = whole_number<std::uint64_t>(take_field(line));
  if (!words || !dimension || !take_field(line).empty()) return std::nullopt;
  return Header{*words, *dimension};
}

class VectorReader {
 public:
  VectorReader(std::unique_ptr<ByteSource> source, const std::string& name, const VectorReadOptions& options)
      : bytes_(std::move(source)), name_(name), most_(std::min(options.max_words, WordVectors::kMostWords)) {}

  WordVectors read() {
    const std::string_view start = bytes_.peek(kOurMagic.size());
    if (start.starts_with(kOurMagic)) return read_ours();
    if (start.starts_with(kFastTextMagic)) {
      throw DataError(name_ +
                      ": is a model of fastText (.bin); give the text file of vectors (.vec) that "
                      "fastText writes beside it");
    }
    if (start.starts_with(kByteOrderMark)) bytes_.take(kByteOrderMark.size());
    if (bytes_.at_end()) throw DataError(name_ + ": is empty; give a file of word vectors");
    next_line();
    const std::optional<Header> header = parse_header(line_);
    if (!header) return read_text({});
    check_dimension(header->dimension);
    return is_binary(header->dimension) ? read_binary(*header) : read_text(header);
  }

 private:
  WordVectors read_ours() {
    std::vector<std::byte> all;
    for (std::string_view text = bytes_.peek(1); !text.empty(); text = bytes_.peek(1)) {
      const auto more = std::as_bytes(std::span(text));
      all.insert(all.end(), more.begin(), more.end());
      bytes_.take(text.size());
    }
    return WordVectors::from_file(SectionFile::from_bytes(all, name_)).truncated(most_);
  }

  // Values of four bytes have control characters and bytes beyond ASCII in them, digits do not.
  bool is_binary(std::uint64_t dimension) {
    const std::optional<std::string_view> word = bytes_.peek_until(' ', WordVectors::kMostWordBytes);
    if (!word) return false;
    const std::size_t skipped = word->size() + 1;
    std::string_view values = bytes_.peek(skipped + dimension * sizeof(float));
    values = values.substr(skipped, dimension * sizeof(float));
    return std::any_of(values.begin(), values.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte >= 0x7F || (byte < 0x20 && c != '\t' && c != '\r' && c != '\n');
    });
  }

  bool next_line() {
    const std::optional<std::string_view> line = bytes_.peek_until('\n', kMostLineBytes);
    ++number_;
    if (line) {
      line_ = *line;
    } else {
      line_ = bytes_.peek(1);
      if (line_.empty()) return false;
      if (line_.size() > kMostLineBytes) fail("the line is too long; is this a file of word vectors?");
    }
    const std::size_t length = line_.size();
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    bytes_.take(length + (line ? 1 : 0));
    return true;
  }

  WordVectors read_text(std::optional<Header> header) {
    if (header && !next_line()) fail_truncated(0, *header);
    // Without a header, the first line says how many values there are.
    std::string_view rest = line_;
    std::size_t fields = 0;
    while (!header && !take_field(rest).empty()) ++fields;
    if (!header && fields < 2) fail("no values behind the word; is this a file of word vectors?");
    const std::size_t dimension = header ? header->dimension : fields - 1;
    if (!header) check_dimension(dimension);
    WordVectorsBuilder vectors(dimension);
    std::vector<float> values(dimension);
    do {
      if (vectors.size() == most_) return vectors.build();
      if (header && vectors.size() == header->words) {
        fail(fmt::format("more words than the {} that the first line announces; correct it", header->words));
      }
      const std::string_view word = take_field(line_);
      if (word.empty()) fail("the line is empty; remove it");
      read_values(values);
      add(vectors, word, values);
    } while (next_line());
    if (header && vectors.size() < header->words) fail_truncated(vectors.size(), *header);
    return vectors.build();
  }

  void read_values(std::span<float> values) {
    std::size_t count = 0;
    for (std::string_view field = take_field(line_); !field.empty(); field = take_field(line_)) {
      if (count < values.size()) values[count] = value(field);
      ++count;
    }
    if (count != values.size()) {
      fail(fmt::format("{} values instead of {}; all words need as many", count, values.size()));
    }
  }

  // By way of double: numbers too small for a float are 0, and no error.
  float value(std::string_view field) const {
    double number = 0.0;
    const char* begin = field.data() + (field.starts_with('+') ? 1 : 0);
    const char* end = field.data() + field.size();
    const auto [parsed, error] = std::from_chars(begin, end, number);
    const auto rounded = static_cast<float>(number);
    if (parsed != end || error == std::errc::invalid_argument) {
      fail(fmt::format("{} is not a number; is this a file of word vectors?", quoted(field)));
    }
    if (error != std::errc() || !is_usable(rounded)) {
      fail(fmt::format("{} is not a number that a vector can have; remove the word", quoted(field)));
    }
    return rounded;
  }

  WordVectors read_binary(const Header& header) {
    WordVectorsBuilder vectors(header.dimension);
    std::vector<float> values(header.dimension);
    const std::size_t row = header.dimension * sizeof(float);
    is_binary_ = true;
    for (number_ = 1; vectors.size() < std::min<std::uint64_t>(header.words, most_); ++number_) {
      if (bytes_.peek(1).starts_with('\n')) bytes_.take(1);  // some writers end a row so, others do not
      const std::optional<std::string_view> word = bytes_.peek_until(' ', WordVectors::kMostWordBytes);
      if (!word && bytes_.peek(WordVectors::kMostWordBytes + 1).size() <= WordVectors::kMostWordBytes) {
        fail_truncated(vectors.size(), header);
      }
      if (!word) fail("the word is too long; the file is damaged");
      const std::string text(*word);
      bytes_.take(text.size() + 1);
      const std::string_view numbers = bytes_.peek(row);
      if (numbers.size() < row) fail_truncated(vectors.size(), header);
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = load_little_endian<float>(std::as_bytes(std::span(numbers)).data() + k * sizeof(float));
        if (!is_usable(values[k])) {
          fail(fmt::format("{} has a value that is not a number a vector can have; the file is damaged",
                           copse::quoted(text)));
        }
      }
      bytes_.take(row);
      add(vectors, text, values);
    }
    if (vectors.size() == header.words) {
      if (bytes_.peek(1).starts_with('\n')) bytes_.take(1);
      if (!bytes_.at_end()) fail("there is more behind the last word; the file is damaged");
    }
    return vectors.build();
  }

  void add(WordVectorsBuilder& vectors, std::string_view word, std::span<const float> values) {
    if (const char* problem = WordVectorsBuilder::problem_of_word(word)) {
      fail(fmt::format("the word {} {}; correct or remove it", quoted(word), problem));
    }
    if (!vectors.add(word, values)) {
      fail(fmt::format("the word {} comes a second time; remove it", quoted(word)));
    }
  }

  // Squares and sums of it are numbers, too.
  static bool is_usable(float value) { return std::abs(value) <= 1e15F; }

  void check_dimension(std::uint64_t dimension) const {
    if (dimension < 1 || dimension > WordVectors::kMostDimension) {
      fail(fmt::format("vectors of dimension {}; it can be from 1 to {}", dimension,
                       WordVectors::kMostDimension));
    }
  }

  [[noreturn]] void fail_truncated(std::size_t words, const Header& header) const {
    throw DataError(
        fmt::format("{}: ends after {} of the {} words that its first line announces; fetch the "
                    "whole file",
                    name_, words, header.words));
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(is_binary_ ? fmt::format("{}: word {}: {}", name_, number_, reason)
                               : fmt::format("{}:{}: {}", name_, number_, reason));
  }

  PeekableBytes bytes_;
  std::string name_;
  std::size_t most_;
  std::size_t number_ = 0;  // of the line, or of the word of a binary file
  bool is_binary_ = false;
  std::string_view line_;
};

}  // namespace

WordVectors read_vectors(std::unique_ptr<ByteSource> source, const std::string& name,
                         const VectorReadOptions& options) {
  return VectorReader(std::move(source), name, options).read();
}

WordVectors read_vectors(const std::string& path, const VectorReadOptions& options) {
  const std::string name = input_name(path);
  // Our own files are used where they lie. Of a pipe, what is read is gone.
  std::error_code error;
  if (path != "-" && std::filesystem::is_regular_file(path, error)) {
    std::string start(kOurMagic.size(), '\0');
    const std::unique_ptr<ByteSource> file = open_file(path);
    std::size_t filled = 0;
    while (const std::size_t count = file->read(std::span(start).subspan(filled))) filled += count;
    if (start == kOurMagic) {
      return WordVectors::from_file(SectionFile::open(path)).truncated(options.max_words);
    }
  }
  return read_vectors(decompress(open_file(path), name), name, options);
}

}  // namespace copse
