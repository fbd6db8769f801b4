#include "serving/udpipe_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "segmentation/surface_text.h"
#include "serving/request_error.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00A0";

std::string with_replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  while (true) {
    const std::size_t at = text.find(from);
    result += text.substr(0, at);
    if (at == std::string_view::npos) return result;
    result += to;
    text.remove_prefix(at + from.size());
  }
}

// "plaintext=normalized_spaces" and the like.
struct FormatName {
  std::string_view name;
  std::string_view options;  // separated by semicolons

  bool has_option(std::string_view option) const {
    std::string_view left = options;
    while (!left.empty()) {
      const std::string_view one = left.substr(0, left.find(';'));
      left.remove_prefix(std::min(left.size(), one.size() + 1));
      if (one == option) return true;
    }
    return false;
  }
};

FormatName split_name(std::string_view format) {
  const std::size_t equals = format.find('=');
  return {format.substr(0, equals), equals == std::string_view::npos ? "" : format.substr(equals + 1)};
}

// Lines of a text in memory, without their ends.
class Lines {
 public:
  explicit Lines(std::string text) : text_(std::move(text)) {
    if (text_.starts_with("\uFEFF")) at_ = 3;
  }

  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = std::string_view(text_).substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }
  std::size_t number() const { return number_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
};

class WordReader : public SentenceReader {
 public:
  explicit WordReader(std::string text) : lines_(std::move(text)) {}
  std::size_t first_line() const override { return first_line_; }

 protected:
  void add_word(std::string_view form, Sentence& sentence) {
    constexpr int kMost = ConllReadOptions().max_words;
    if (sentence.size() == kMost) {
      throw DataError(
          fmt::format("<data>:{}: a sentence of more than {} words; cut it", lines_.number(), kMost));
    }
    if (sentence.empty()) first_line_ = lines_.number();
    try {
      sentence.add_word(with_replaced(form, kNoBreakSpace, " "));
    } catch (const DataError& error) {
      throw DataError(fmt::format("<data>:{}: {}", lines_.number(), error.what()));
    }
  }

  Lines lines_;
  std::size_t first_line_ = 0;
};

class HorizontalReader : public WordReader {
 public:
  using WordReader::WordReader;

  bool next(Sentence& sentence) override {
    sentence.clear();
    std::string_view line;
    while (sentence.empty()) {
      if (!lines_.next(line)) return false;
      while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty()) break;
        const std::string_view word = line.substr(0, line.find_first_of(" \t"));
        line.remove_prefix(word.size());
        add_word(word, sentence);
      }
    }
    return true;
  }
};

class VerticalReader : public WordReader {
 public:
  using WordReader::WordReader;

  bool next(Sentence& sentence) override {
    sentence.clear();
    std::string_view line;
    while (lines_.next(line)) {
      if (line.empty()) {
        if (!sentence.empty()) return true;
        continue;
      }
      const std::string_view word = line.substr(0, line.find('\t'));
      if (word.empty())
        throw DataError(
            fmt::format("<data>:{}: the line begins with a tab; write a word first", lines_.number()));
      add_word(word, sentence);
    }
    return !sentence.empty();
  }
};

// Words joined by spaces, or each on a line.
class WordWriter : public SentenceWriter {
 public:
  WordWriter(std::string& text, std::string_view behind_words, bool separates_paragraphs)
      : text_(text), behind_words_(behind_words), separates_paragraphs_(separates_paragraphs) {}

  void write(const Sentence& sentence) override {
    if (separates_paragraphs_ && !is_first_ && begins_paragraph(sentence)) text_ += '\n';
    is_first_ = false;
    for (const Token& word : sentence.words()) {
      text_ += with_replaced(word.form(), " ", kNoBreakSpace);
      text_ += behind_words_;
    }
    if (behind_words_ == " " && !sentence.empty()) text_.pop_back();
    text_ += '\n';
  }
  void flush() override {}
  void close() override {}

 private:
  std::string& text_;
  std::string_view behind_words_;
  bool separates_paragraphs_;
  bool is_first_ = true;
};

class SpacedTextWriter : public SentenceWriter {
 public:
  explicit SpacedTextWriter(std::string& text) : text_(text) {}

  void write(const Sentence& sentence) override {
    if (!is_first_ && begins_paragraph(sentence)) text_ += '\n';
    is_first_ = false;
    const std::vector<SurfaceToken> tokens = surface_tokens(sentence);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      text_ += tokens[k].form;
      if (k + 1 < tokens.size() && !tokens[k].space_after.empty()) text_ += ' ';
    }
    text_ += '\n';
  }
  void flush() override {}
  void close() override {}

 private:
  std::string& text_;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<SentenceReader> open_udpipe_input(std::string_view format, std::string text) {
  const FormatName found = split_name(format);
  if (found.name == "conllu") {
    return std::make_unique<ConllReader>(
        ConllReader::from_text(std::move(text), {.format = ConllFormat::conllu}, "<data>"));
  }
  if (found.name == "horizontal") return std::make_unique<HorizontalReader>(std::move(text));
  if (found.name == "vertical") return std::make_unique<VerticalReader>(std::move(text));
  throw RequestError(400,
                     fmt::format("there is no input format {}; use conllu, horizontal or vertical, or the "
                                 "parameter tokenizer for plain text",
                                 copse::quoted(format)),
                     "input");
}

std::unique_ptr<SentenceWriter> open_udpipe_output(std::string_view format, std::string& text) {
  const FormatName found = split_name(format);
  if (found.name == "conllu") {
    return std::make_unique<ConllWriter>(ConllWriter::to_text(text, ConllFormat::conllu));
  }
  const bool has_paragraphs = found.has_option("paragraphs");
  if (found.name == "horizontal") return std::make_unique<WordWriter>(text, " ", has_paragraphs);
  if (found.name == "vertical") return std::make_unique<WordWriter>(text, "\n", has_paragraphs);
  if (found.name == "plaintext") {
    if (found.has_option("normalized_spaces")) return std::make_unique<SpacedTextWriter>(text);
    return std::make_unique<TextWriter>(TextWriter::to_text(text));
  }
  throw RequestError(
      400,
      fmt::format("there is no output format {}; use conllu, horizontal, vertical or plaintext",
                  copse::quoted(format)),
      "output");
}

}  // namespace copse
