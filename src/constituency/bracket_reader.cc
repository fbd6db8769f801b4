#include "constituency/bracket_reader.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "copse/setting_error.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr int kEndOfFile = -1;

bool is_space(int byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f' || byte == '\v';
}

enum class TokenKind { open, close, text, end };

// Cuts a stream into brackets and the text between them.
class BracketLexer {
 public:
  BracketLexer(std::unique_ptr<ByteSource> source, std::string name, const BracketReadOptions& options)
      : source_(std::move(source)), name_(std::move(name)), options_(options) {
    while (filled_ < kByteOrderMark.size() && !is_at_end_) fill();
    if (std::string_view(buffer_.data(), filled_).starts_with(kByteOrderMark))
      position_ = kByteOrderMark.size();
  }

  // Moves on to the next token. Text is checked to be usable as a CoNLL field.
  TokenKind next() {
    while (is_space(peek())) take();
    line_of_token_ = line_;
    const int byte = peek();
    if (byte == kEndOfFile) return TokenKind::end;
    if (byte != '(' && byte != ')') {
      read_text();
      return TokenKind::text;
    }
    take();
    return byte == '(' ? TokenKind::open : TokenKind::close;
  }

  // The Chinese treebank has lines of markup (<S ID=1>) around its trees.
  void skip_markup() {
    while (true) {
      while (is_space(peek())) take();
      if (peek() != '<') return;
      while (peek() != '\n' && peek() != kEndOfFile) take();
    }
  }

  // Of the token that next() found.
  std::string_view text() const { return text_; }
  size_t line() const { return line_of_token_; }

  size_t bytes_taken() const { return bytes_taken_; }

  [[noreturn]] void fail(const std::string& reason) const { fail_at(line_of_token_, reason); }
  [[noreturn]] void fail_for(const char* setting, const std::string& reason) const {
    throw SettingError(name_ + ":" + std::to_string(line_of_token_) + ": " + reason, setting);
  }
  [[noreturn]] void fail_at(size_t line, const std::string& reason) const {
    throw DataError(name_ + ":" + std::to_string(line) + ": " + reason);
  }

 private:
  int peek() {
    if (position_ == filled_) {
      position_ = filled_ = 0;
      if (!is_at_end_) fill();
      if (is_at_end_) return kEndOfFile;
    }
    return static_cast<unsigned char>(buffer_[position_]);
  }

  void fill() {
    const size_t count = source_->read(std::span(buffer_).subspan(filled_));
    filled_ += count;
    is_at_end_ = count == 0;
  }

  void take() {
    if (buffer_[position_] == '\n') ++line_;
    ++position_;
    ++bytes_taken_;
  }

  void read_text() {
    text_.clear();
    for (int byte = peek(); byte != kEndOfFile && byte != '(' && byte != ')' && !is_space(byte);
         byte = peek()) {
      text_.push_back(static_cast<char>(byte));
      take();
      if (text_.size() > options_.max_token_bytes) {
        fail("a word or label is longer than " + std::to_string(options_.max_token_bytes) +
             " bytes; check that this is a bracket file");
      }
    }
    if (!is_valid_utf8(text_)) fail("invalid UTF-8 in " + quoted(text_) + "; convert the file to UTF-8");
    if (text_.find('\0') != std::string::npos) fail("a NUL byte in " + quoted(text_) + "; remove it");
  }

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  const BracketReadOptions& options_;
  std::array<char, size_t{64} << 10> buffer_;
  size_t position_ = 0;
  size_t filled_ = 0;
  bool is_at_end_ = false;
  std::string text_;
  size_t line_ = 1;
  size_t line_of_token_ = 1;
  size_t bytes_taken_ = 0;
};

}  // namespace

class BracketReader::Impl {
 public:
  Impl(std::unique_ptr<ByteSource> source, const std::string& name, const BracketReadOptions& options)
      : options_(options), lexer_(decompress(std::move(source), name), name, options_) {}

  bool next(ConstituentTree& tree) {
    tree.clear();
    if (at_end_) return false;
    at_end_ = true;  // and stays so when an error ends the reading
    at_end_ = !read_tree(tree);
    return !at_end_;
  }

  size_t first_line() const { return first_line_; }

 private:
  bool read_tree(ConstituentTree& tree) {
    lexer_.skip_markup();
    const TokenKind first = lexer_.next();
    if (first == TokenKind::end) return false;
    if (first == TokenKind::text) {
      lexer_.fail(quoted(lexer_.text()) + " stands outside of any bracket; a tree begins with '('");
    }
    if (first == TokenKind::close) {
      lexer_.fail("a ')' that closes nothing; remove it, or add the '(' that is missing before it");
    }
    first_line_ = lexer_.line();
    first_byte_ = lexer_.bytes_taken();
    words_ = 0;
    depth_ = 0;
    TokenKind token = first;
    do {
      token = read_bracket(token, tree);
    } while (depth_ > 0);
    return true;
  }

  // Takes in what begins or ends with `token`; returns the next token that is to be looked at, if the tree
  // is not at its end.
  TokenKind read_bracket(TokenKind token, ConstituentTree& tree) {
    check_size();
    switch (token) {
      case TokenKind::open:
        return read_opened(tree);
      case TokenKind::close:
        tree.close();
        --depth_;
        break;
      case TokenKind::text:
        lexer_.fail("the word " + quoted(lexer_.text()) +
                    " stands beside brackets; give it a bracket with a tag of its own");
      case TokenKind::end:
        fail_unclosed(depth_);
    }
    return depth_ > 0 ? lexer_.next() : TokenKind::end;
  }

  // After a '('.
  TokenKind read_opened(ConstituentTree& tree) {
    const size_t line = lexer_.line();
    std::string label;
    TokenKind token = lexer_.next();
    if (token == TokenKind::text) {
      label = lexer_.text();
      token = lexer_.next();
    }
    switch (token) {
      case TokenKind::text:
        read_word(label, tree);
        return depth_ > 0 ? lexer_.next() : TokenKind::end;
      case TokenKind::open:
        if (label.empty() && depth_ > 0) {
          lexer_.fail_at(line, "a bracket without a label inside the tree that begins in line " +
                                   std::to_string(first_line_) +
                                   "; label it, or add the ')' that is missing before it");
        }
        tree.open(label);
        ++depth_;
        return token;
      case TokenKind::close:
        lexer_.fail_at(line,
                       (label.empty() ? "an empty bracket" : "the bracket " + quoted(label) + " is empty") +
                           "; write (TAG WORD) or (LABEL followed by brackets)");
      case TokenKind::end:
        break;
    }
    fail_unclosed(depth_ + 1);
  }

  // The form is the current token.
  void read_word(const std::string& tag, ConstituentTree& tree) {
    if (++words_ > options_.max_words) {
      lexer_.fail_for("max_words", "the tree that begins in line " + std::to_string(first_line_) +
                                       " has more than " + std::to_string(options_.max_words) +
                                       " words; check its brackets, or raise the limit");
    }
    const std::string form(lexer_.text());
    tree.add_word(tag, form);
    const TokenKind token = lexer_.next();
    if (token == TokenKind::text) {
      lexer_.fail(quoted(lexer_.text()) + " follows the word " + quoted(form) +
                  " in one bracket; give each word a bracket with a tag of its own");
    }
    if (token == TokenKind::open) {
      lexer_.fail("a bracket follows the word " + quoted(form) +
                  " inside its bracket; close the word's bracket first");
    }
    if (token == TokenKind::end) fail_unclosed(depth_ + 1);
  }

  void check_size() const {
    if (lexer_.bytes_taken() - first_byte_ > options_.max_tree_bytes) {
      lexer_.fail_at(first_line_, "the tree that begins here is longer than " +
                                      std::to_string(options_.max_tree_bytes) + " bytes; check its brackets");
    }
  }

  [[noreturn]] void fail_unclosed(size_t missing) const {
    lexer_.fail_at(first_line_, "the tree that begins here is not closed at the end of the file; add " +
                                    std::to_string(missing) + " ')' where they are missing");
  }

  BracketReadOptions options_;
  BracketLexer lexer_;
  bool at_end_ = false;
  size_t first_line_ = 0;
  size_t first_byte_ = 0;
  size_t depth_ = 0;
  int words_ = 0;
};

BracketReader::BracketReader(const std::string& path, const BracketReadOptions& options)
    : BracketReader(open_file(path), input_name(path), options) {}

BracketReader::BracketReader(std::unique_ptr<ByteSource> source, const std::string& name,
                             const BracketReadOptions& options)
    : impl_(std::make_unique<Impl>(std::move(source), name, options)) {}

BracketReader BracketReader::from_text(std::string text, const BracketReadOptions& options,
                                       const std::string& name) {
  return {open_memory(std::move(text)), name, options};
}

BracketReader::BracketReader(BracketReader&&) noexcept = default;
BracketReader& BracketReader::operator=(BracketReader&&) noexcept = default;
BracketReader::~BracketReader() = default;

bool BracketReader::next(ConstituentTree& tree) { return impl_->next(tree); }
size_t BracketReader::first_line() const { return impl_->first_line(); }

std::vector<ConstituentTree> read_brackets(const std::string& path, const BracketReadOptions& options) {
  std::vector<ConstituentTree> trees;
  BracketReader reader(path, options);
  for (ConstituentTree tree; reader.next(tree);) trees.push_back(tree);
  return trees;
}

}  // namespace copse
