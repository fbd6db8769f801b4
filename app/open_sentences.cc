#include "open_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "copse/text_options.h"
#include "segmentation/text_reader.h"
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

}  // namespace

InputLook look_at_input(const std::string& path) {
  InputLook look;
  std::string start(kCompressionBytes, '\0');
  std::size_t size = 0;
  const std::unique_ptr<ByteSource> raw = open_file(path);
  while (const std::size_t count = raw->read(std::span(start).subspan(size))) size += count;
  look.is_compressed = is_compressed(std::string_view(start).substr(0, size));
  PeekedInput input(decompress(open_file(path), input_name(path)));
  const std::string_view bytes = input.peek();
  look.is_text = looks_like_text(bytes);
  look.is_nothing = !look.is_text && first_content_line(bytes).text.empty();
  return look;
}

std::unique_ptr<SentenceReader> open_sentences(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                               const SentenceInputOptions& options,
                                               const Component<SegmenterModel>& segmenter,
                                               const SentenceOpening& how) {
  auto input = std::make_unique<PeekedInput>(decompress(std::move(bytes), name));
  std::string format = options.format;
  if (format.empty() && looks_like_text(input->peek())) format = "text";
  if (format.empty() && how.is_text_only && looks_like_treebank_row(first_content_line(input->peek()).text)) {
    throw DataError(name +
                    ": looks like a treebank, which is cut into words already; say --input-format text "
                    "if it is text");
  }
  if (format == "text" || format == "lines" || how.is_text_only) {
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
  return std::make_unique<ConllReader>(ConllSource::open(std::move(input), name, conll));
}

void give_sent_id(const SentenceInputOptions& options, std::int64_t number, Sentence& sentence) {
  if (!options.sent_ids || sentence.sent_id()) return;
  make_conllu(sentence);
  sentence.set_comment("sent_id", fmt::format("{}-{}", *options.sent_ids, number));
}

}  // namespace copse
