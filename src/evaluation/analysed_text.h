#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

// Numbers for strings, equal for equal ones: what is compared often is compared quickly, and kept once.
class StringNumbers {
 public:
  using Number = int32_t;

  Number of(std::string_view text);
  std::string_view text(Number number) const { return texts_[static_cast<size_t>(number)]; }

 private:
  std::deque<std::string> texts_;  // which stay where they are
  std::unordered_map<std::string_view, Number> numbers_;
};

// Bytes of a text, from `begin` to before `end`.
struct TextSpan {
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const TextSpan&) const = default;
};

struct AnalysedWord {
  static constexpr int64_t kRoot = -1;     // as a parent
  static constexpr int64_t kUnknown = -2;  // as a parent: never the right one
  static constexpr int64_t kNone = -1;     // as a child or sibling

  TextSpan span;  // of its token
  int64_t parent = kRoot;
  // The children with function-word relations, in their order, as a list.
  int64_t first_functional_child = kNone;
  int64_t next_functional_sibling = kNone;
  StringNumbers::Number form = 0;  // without spaces, unless the word is a part of a multiword token
  StringNumbers::Number lemma = 0;
  StringNumbers::Number upos = 0;
  StringNumbers::Number xpos = 0;
  StringNumbers::Number feats = 0;   // the universal ones, sorted
  StringNumbers::Number deprel = 0;  // without its subtype
  bool is_in_multiword = false;
  bool has_content_relation = false;
};

// A file as the alignment sees it: the characters of all its tokens without spaces, and what was found in
// them.
class AnalysedText {
 public:
  AnalysedText(std::string name, StringNumbers& numbers) : name_(std::move(name)), numbers_(&numbers) {}

  // Appends a sentence whose first line, comments included, is `first_line` of the file. Throws DataError
  // with the place unless every word leads to the one root word, or none has a head, and all have forms.
  void add(const Sentence& sentence, size_t first_line);

  const std::string& name() const { return name_; }
  std::string_view characters() const { return characters_; }
  const std::vector<TextSpan>& tokens() const { return tokens_; }
  const std::vector<TextSpan>& sentences() const { return sentences_; }
  const std::vector<AnalysedWord>& words() const { return words_; }
  std::string_view form(const AnalysedWord& word) const { return numbers_->text(word.form); }

  // "FILE:LINE" of the token that covers a byte of the text; the last one's for the end of the text.
  std::string place(size_t position) const;

 private:
  class RowAdder;
  void add_token(std::string_view form, size_t line);
  void add_word(const Token& word, bool is_in_multiword);
  void link(const Sentence& sentence, size_t first_word);
  void check_tree(const Sentence& sentence, size_t first_line) const;
  [[noreturn]] void fail(size_t line, const std::string& reason) const;

  std::string name_;
  StringNumbers* numbers_;  // shared with the texts that this one is compared with
  std::string characters_;
  std::vector<TextSpan> tokens_;
  std::vector<size_t> token_lines_;
  std::vector<TextSpan> sentences_;
  std::vector<AnalysedWord> words_;
};

}  // namespace copse
