#include "open_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "convert_input.h"
#include "copse/error.h"
#include "copse/text_options.h"
#include "segmentation/text_reader.h"
#include "text/utf8.h"
#include "treebank/conll_source.h"
#include "treebank/format_detection.h"
#include "treebank/misc_probability.h"
#include "treebank/token_lines.h"
#include "treebank_input.h"

namespace copse {
namespace {

// Gives its first bytes to whoever wants to know what they are, and to the reader all the same.
class PeekedInput : public ByteSource {
 public:
  explicit PeekedInput(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // What there is up to the end of the first line that is not a comment and not blank, and perhaps more.
  std::string_view peek() {
    constexpr std::size_t kMost = std::size_t{64} << 10;
    constexpr std::size_t kChunk = std::size_t{4} << 10;
    while (bytes_.size() < kMost && !first_content_line(bytes_).is_whole) {
      const std::size_t before = bytes_.size();
      bytes_.resize(before + kChunk);
      bytes_.resize(before + source_->read(std::span(bytes_).subspan(before)));
      if (bytes_.size() == before) break;
    }
    return bytes_;
  }

  std::size_t read(std::span<char> out) override {
    if (position_ == bytes_.size()) return source_->read(out);
    const std::size_t count = std::min(out.size(), bytes_.size() - position_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
    position_ += count;
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string bytes_;
  std::size_t position_ = 0;
};

// The first line that says something decides. Nothing but line ends can be read as anything.
bool looks_like_text(std::string_view bytes) {
  const ContentLine line = first_content_line(bytes);
  if (line.text.empty()) return bytes.find_first_not_of("\r\n") != std::string_view::npos;
  return !looks_like_treebank_row(line.text);
}

constexpr std::string_view kText = "text";
constexpr std::string_view kTreebank = "treebank";  // of a format that shows when it is read

// What a name says: a name of --input-format, kTreebank, or nothing.
std::string_view format_told_by(std::string_view name) {
  if (const std::optional<InputFormat> format = format_by_suffix(name); format && !format->is_penn) {
    return format->conll == ConllFormat::detect ? kTreebank : format_name(format->conll);
  }
  const std::string_view plain = without_compression_suffix(name);
  return plain.ends_with(".txt") || plain.ends_with(".text") ? kText : std::string_view();
}

// The format of a file: as its name says, if what is in it can be that; else as it looks. kText, a format of
// treebanks, or kTreebank.
std::string_view find_format(const std::string& name, std::string_view bytes) {
  const std::string_view told = format_told_by(name);
  const std::string_view line = first_content_line(bytes).text;
  if (bytes.find_first_not_of("\r\n") == std::string_view::npos) return kTreebank;  // without sentences
  if (told.empty()) return looks_like_text(bytes) ? kText : kTreebank;
  if (told == kText) {
    if (!looks_like_numbered_row(line)) return kText;
    throw DataError(
        fmt::format("{}: the name says text, but {} is a row of a treebank; say --input-format conllu, or "
                    "text if it is text",
                    name, quoted(line)));
  }
  if (line.empty() || line.find('\t') != std::string_view::npos) return told;
  throw DataError(
      fmt::format("{}: the name says {}, but {} has no columns; separate them by tabs, or say --input-format "
                  "text or tokens",
                  name, told == kTreebank ? "that this is a treebank" : told, quoted(line)));
}

// Says how to read an input as text that was taken for a treebank by its looks alone.
class GuessedTreebank : public SentenceReader {
 public:
  explicit GuessedTreebank(ConllReader reader) : reader_(std::move(reader)) {}

  bool next(Sentence& sentence) override {
    try {
      const bool has_sentence = reader_.next(sentence);
      is_first_ = false;
      return has_sentence;
    } catch (const DataError& error) {
      if (!is_first_) throw;
      throw DataError(fmt::format("{}; if this is text, say --input-format text", error.what()));
    }
  }
  std::size_t first_line() const override { return reader_.first_line(); }

 private:
  ConllReader reader_;
  bool is_first_ = true;
};

}  // namespace

bool is_treebank_start(const std::string& name, std::string_view bytes) {
  const std::string_view line = first_content_line(bytes).text;
  const std::string_view told = format_told_by(name);
  const bool is_treebank_name = !told.empty() && told != kText;
  return is_treebank_name ? looks_like_treebank_row(line) : looks_like_numbered_row(line);
}

InputLook look_at_input(const std::string& path, const std::string& format) {
  InputLook look;
  std::string start(kCompressionBytes, '\0');
  std::size_t size = 0;
  const std::unique_ptr<ByteSource> raw = open_file(path);
  while (const std::size_t count = raw->read(std::span(start).subspan(size))) size += count;
  look.is_compressed = is_compressed(std::string_view(start).substr(0, size));
  PeekedInput input(decompress(open_file(path), input_name(path)));
  const std::string_view bytes = input.peek();
  look.is_nothing = bytes.find_first_not_of("\r\n") == std::string_view::npos;
  if (format.empty()) {
    look.format = find_format(path, bytes);
    if (look.format == kTreebank) look.format.clear();
  }
  return look;
}

std::unique_ptr<SentenceReader> open_sentences(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                               const SentenceInputOptions& options,
                                               const Component<SegmenterModel>& segmenter,
                                               const SentenceOpening& how) {
  auto input = std::make_unique<PeekedInput>(decompress(std::move(bytes), name));
  const bool is_guessed = options.format.empty();
  const std::string format(is_guessed ? find_format(name, input->peek()) : options.format);
  if (is_guessed && how.is_text_only && format != kText &&
      looks_like_treebank_row(first_content_line(input->peek()).text)) {
    throw DataError(name +
                    ": looks like a treebank, which is cut into words already; say --input-format text "
                    "if it is text");
  }
  if (format == kText || format == "lines" || how.is_text_only) {
    if (!segmenter) {
      throw DataError(
          name +
          ": this looks like plain text, and the model has no segmenter; say --input-format tokens if "
          "words are separated by spaces, or use a model with one");
    }
    TextOptions text;
    text.ranges = options.ranges;
    if (options.no_headings) text.lines = TextLines::space;
    if (format == "lines") text.lines = TextLines::sentences;
    text.document = how.document;
    text.continues_paragraph = how.continues_paragraph;
    return std::make_unique<TextReader>(std::move(input), *segmenter, name, text);
  }
  if (format == "tokens") {
    TokenLineOptions tokens;
    tokens.max_words = options.max_words;
    return std::make_unique<TokenLineReader>(std::move(input), name, tokens);
  }
  ConllReadOptions conll;
  conll.format = conll_format(format);
  conll.validate_trees = false;
  conll.max_words = options.max_words;
  const bool is_doubtful = is_guessed && format_told_by(name).empty() &&
                           !looks_like_numbered_row(first_content_line(input->peek()).text);
  ConllReader reader = ConllSource::open(std::move(input), name, conll);
  if (is_doubtful) return std::make_unique<GuessedTreebank>(std::move(reader));
  return std::make_unique<ConllReader>(std::move(reader));
}

void give_sent_id(const SentenceInputOptions& options, std::int64_t number, Sentence& sentence) {
  if (!options.sent_ids || sentence.sent_id()) return;
  make_conllu(sentence);
  sentence.set_comment("sent_id", fmt::format("{}-{}", *options.sent_ids, number));
}

}  // namespace copse
