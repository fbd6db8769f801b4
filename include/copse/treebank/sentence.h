#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/layout.h"

namespace copse {

// The head of a word whose head is not known: partial trees are ordinary trees with some of these.
inline constexpr int kNoHead = -1;

// The nine columns after the ID, as text. A column without a value holds "_". They live in one string, joined
// by tabs: that is compact, quick to read and write, and a copy is a copy.
//
// Views are valid until the row changes or goes away. Setters throw DataError for text that cannot be a field
// (a tab, a line break, NUL, invalid UTF-8); an empty value is stored as "_".
class Row {
 public:
  static constexpr int kColumns = 9;
  enum Column : int { kForm, kLemma, kUpos, kXpos, kFeats, kHead, kDeprel, kDeps, kMisc };

  Row();

  std::string_view form() const { return field(kForm); }
  std::string_view lemma() const { return field(kLemma); }
  std::string_view upos() const { return field(kUpos); }  // CPOSTAG in CoNLL-X
  std::string_view xpos() const { return field(kXpos); }  // POSTAG in CoNLL-X
  std::string_view feats() const { return field(kFeats); }
  std::string_view head_text() const { return field(kHead); }
  std::string_view deprel() const { return field(kDeprel); }
  std::string_view deps() const { return field(kDeps); }  // PHEAD in CoNLL-X
  std::string_view misc() const { return field(kMisc); }  // PDEPREL in CoNLL-X

  void set_form(std::string_view value) { set_field(kForm, value); }
  void set_lemma(std::string_view value) { set_field(kLemma, value); }
  void set_upos(std::string_view value) { set_field(kUpos, value); }
  void set_xpos(std::string_view value) { set_field(kXpos, value); }
  void set_feats(std::string_view value) { set_field(kFeats, value); }
  void set_deprel(std::string_view value) { set_field(kDeprel, value); }
  void set_deps(std::string_view value) { set_field(kDeps, value); }
  void set_misc(std::string_view value) { set_field(kMisc, value); }

  // The same for text that is known to be a field, and not empty: it is not checked again. Not for HEAD.
  void set_checked(Column column, std::string_view value);

  // All columns, joined by tabs.
  std::string_view columns() const { return text_; }

  // Takes over nine columns joined by tabs, whose bytes the caller has checked (UTF-8, no line break, no
  // NUL). False, and the row unspecified, unless there are exactly nine and none is empty.
  bool assign_columns(std::string_view columns);

  bool operator==(const Row&) const = default;

 protected:
  std::string_view field(Column column) const {
    const uint32_t begin = column == 0 ? 0 : ends_[column - 1] + 1;
    return std::string_view(text_).substr(begin, ends_[column] - begin);
  }
  void set_field(Column column, std::string_view value);

 private:
  std::string text_;
  std::array<uint32_t, kColumns> ends_;
};

// A syntactic word. Its HEAD column is a canonical decimal number, or "_" for kNoHead.
class Token : public Row {
 public:
  int head() const { return head_; }
  void set_head(int head);  // kNoHead or 0 and above, else DataError; the range is checked when writing

  // As in Row; false also when the HEAD column is not a head.
  bool assign_columns(std::string_view columns);

  bool operator==(const Token&) const = default;

 private:
  int head_ = kNoHead;
};

// A row "3-4": the surface token that the words 3 to 4 are parts of.
class MultiwordToken : public Row {
 public:
  MultiwordToken(int first, int last) : first_(first), last_(last) {}
  int first() const { return first_; }
  int last() const { return last_; }
  bool operator==(const MultiwordToken&) const = default;

 private:
  int first_;
  int last_;
};

// A row "8.1": a node of the enhanced graph after word 8 that is not a word.
class EmptyNode : public Row {
 public:
  EmptyNode(int word, int index) : word_(word), index_(index) {}
  int word() const { return word_; }
  int index() const { return index_; }
  bool operator==(const EmptyNode&) const = default;

 private:
  int word_;
  int index_;
};

// A sentence with all that a file says about it. The words are 1..size(); index 0 is the root, a token whose
// columns are all "_".
class Sentence {
 public:
  Sentence() : tokens_(1) {}

  int size() const { return static_cast<int>(tokens_.size()) - 1; }
  bool empty() const { return size() == 0; }
  void clear();

  const Token& operator[](int index) const { return tokens_[static_cast<size_t>(index)]; }
  Token& operator[](int index) { return tokens_[static_cast<size_t>(index)]; }
  std::span<const Token> words() const { return std::span(tokens_).subspan(1); }
  std::span<Token> words() { return std::span(tokens_).subspan(1); }
  Token& add_word(std::string_view form);
  Token& add_word(Token word);

  // One entry per token: heads()[m] for the words m, and kNoHead at index 0.
  std::vector<int> heads() const;
  void set_heads(std::span<const int> heads);

  // In the order of the sentence. The add functions append, and throw DataError for a range that is not after
  // the last one or has fewer than two words, and for an empty node before the last one.
  std::span<const MultiwordToken> multiwords() const { return multiwords_; }
  std::span<MultiwordToken> multiwords() { return multiwords_; }
  MultiwordToken& add_multiword(int first, int last);
  std::span<const EmptyNode> empty_nodes() const { return empty_nodes_; }
  std::span<EmptyNode> empty_nodes() { return empty_nodes_; }
  EmptyNode& add_empty_node(int word);

  // Whole lines with their '#'. A `# key = value` line can be read, replaced (or added at the end) and
  // removed by its key.
  std::span<const std::string> comments() const { return comments_; }
  void add_comment(std::string_view line);
  void insert_comment(std::size_t position, std::string_view line);  // at most behind the last one
  std::optional<std::string_view> comment(std::string_view key) const;
  void set_comment(std::string_view key, std::string_view value);
  void remove_comment(std::string_view key);
  std::optional<std::string_view> text() const { return comment("text"); }
  std::optional<std::string_view> sent_id() const { return comment("sent_id"); }

  const Layout& layout() const { return layout_; }
  Layout& layout() { return layout_; }

  bool operator==(const Sentence&) const = default;

 private:
  std::vector<Token> tokens_;
  std::vector<MultiwordToken> multiwords_;
  std::vector<EmptyNode> empty_nodes_;
  std::vector<std::string> comments_;
  Layout layout_;
};

// The head that the text of a HEAD column says: kNoHead for "_", and nothing unless the text is "_" or a
// canonical decimal number that an int can hold.
std::optional<int> parse_head(std::string_view text);

}  // namespace copse
