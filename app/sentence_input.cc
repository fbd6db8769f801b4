#include "sentence_input.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "segmentation/text_reader.h"
#include "treebank/format_detection.h"
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

void add_input_format(CLI::App& command, std::string& format) {
  command
      .add_option("--input-format", format,
                  "text; tokens: a sentence on a line, words separated by spaces; conllu, conllx or tab3")
      ->check(CLI::IsMember({"text", "tokens", "conllu", "conllx", "tab3"}))
      ->option_text("NAME [by the first line]");
}

std::unique_ptr<SentenceReader> open_sentences(const std::string& path, const std::string& format,
                                               const Component<SegmenterModel>& segmenter,
                                               InputPosition& position,
                                               std::function<void()> before_waiting) {
  const std::string name = input_name(path);
  auto input = std::make_unique<PeekedInput>(
      decompress(std::make_unique<WatchedInput>(path, position, std::move(before_waiting)), name));
  const std::string found = format.empty() && looks_like_text(input->peek()) ? "text" : format;
  if (found == "text") {
    if (!segmenter) {
      throw DataError(
          name +
          ": this looks like plain text, and the model has no segmenter; say --input-format tokens if "
          "words are separated by spaces, or use a model with one");
    }
    return std::make_unique<TextReader>(std::move(input), *segmenter, name);
  }
  if (found == "tokens") return std::make_unique<TokenLineReader>(std::move(input), name);
  ConllReadOptions options;
  options.format = conll_format(found);
  options.validate_trees = false;
  return std::make_unique<ConllReader>(std::move(input), name, options);
}

}  // namespace copse
