#include "treebank/token_lines.h"

#include <fmt/format.h>

#include "text/utf8.h"
#include "treebank/line_reader.h"

namespace copse {

class TokenLineReader::Impl {
 public:
  Impl(std::unique_ptr<ByteSource> source, const std::string& name, const TokenLineOptions& options)
      : options_(options), lines_(decompress(std::move(source), name), name, options.max_line_bytes) {}

  bool next(Sentence& sentence) {
    while (lines_.next()) {
      std::string_view text = lines_.text();
      if (lines_.number() == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
      if (!is_valid_utf8(text)) lines_.fail("this is not valid UTF-8; convert the file");
      if (text.find('\0') != std::string_view::npos) lines_.fail("a NUL has no place in text; remove it");
      if (read(text, sentence)) return true;
    }
    return false;
  }

 private:
  // False if there is no word.
  bool read(std::string_view line, Sentence& sentence) const {
    constexpr std::string_view kSpaces = " \t\r\v\f";
    sentence.clear();
    std::string text;
    for (std::size_t begin = line.find_first_not_of(kSpaces); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line.size(), line.find_first_of(kSpaces, begin));
      const std::string_view form = line.substr(begin, end - begin);
      if (sentence.size() == options_.max_words) {
        lines_.fail_for(
            "max_words",
            fmt::format(
                "the sentence has more than {} words; write one sentence on a line, or raise the limit",
                options_.max_words));
      }
      Token word;
      word.set_form(form);
      sentence.add_word(word);
      if (!text.empty()) text += ' ';
      text += form;
      begin = line.find_first_not_of(kSpaces, end);
    }
    if (sentence.empty()) return false;
    sentence.layout().format = ConllFormat::conllu;
    sentence.set_comment("text", text);
    return true;
  }

  TokenLineOptions options_;
  LineReader lines_;
};

TokenLineReader::TokenLineReader(std::unique_ptr<ByteSource> source, std::string name,
                                 const TokenLineOptions& options)
    : impl_(std::make_unique<Impl>(std::move(source), name, options)) {}
TokenLineReader::TokenLineReader(TokenLineReader&&) noexcept = default;
TokenLineReader& TokenLineReader::operator=(TokenLineReader&&) noexcept = default;
TokenLineReader::~TokenLineReader() = default;

bool TokenLineReader::next(Sentence& sentence) { return impl_->next(sentence); }

}  // namespace copse
