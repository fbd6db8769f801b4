#include "evaluation/analysed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "copse/error.h"
#include "evaluation/open_treebank.h"
#include "text/attribute_list.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "treebank/rows.h"
#include "trees/heads.h"

namespace copse {
namespace {

// Relations of content words. The others (those of function words, and punct) do not count in CLAS.
constexpr std::array<std::string_view, 29> kContentRelations = {
    "acl",       "advcl",      "advmod",    "amod",       "appos",  "ccomp", "compound", "conj",
    "csubj",     "dep",        "discourse", "dislocated", "expl",   "fixed", "flat",     "goeswith",
    "iobj",      "list",       "nmod",      "nsubj",      "nummod", "obj",   "obl",      "orphan",
    "parataxis", "reparandum", "root",      "vocative",   "xcomp"};

constexpr std::array<std::string_view, 7> kFunctionalRelations = {"aux", "case", "cc",  "clf",
                                                                  "cop", "det",  "mark"};

constexpr std::array<std::string_view, 21> kUniversalFeatures = {
    "Abbr",    "Animacy", "Aspect",   "Case",    "Definite", "Degree",   "Evident",
    "Foreign", "Gender",  "Mood",     "NumType", "Number",   "Person",   "Polarity",
    "Polite",  "Poss",    "PronType", "Reflex",  "Tense",    "VerbForm", "Voice"};

template <size_t kSize>
bool is_one_of(std::string_view text, const std::array<std::string_view, kSize>& sorted) {
  return std::binary_search(sorted.begin(), sorted.end(), text);
}

std::string without_spaces(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::string_view rest = text;
    if (!is_space_character(take_character(rest))) out += text.substr(0, text.size() - rest.size());
    text = rest;
  }
  return out;
}

std::string universal_features(std::string_view feats) {
  std::vector<std::string_view> kept;
  for_each_attribute(feats, [&](std::string_view feature) {
    if (is_one_of(attribute_key(feature), kUniversalFeatures)) kept.push_back(feature);
    return true;
  });
  std::sort(kept.begin(), kept.end());
  return fmt::format("{}", fmt::join(kept, "|"));
}

}  // namespace

StringNumbers::Number StringNumbers::of(std::string_view text) {
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return known->second;
  const auto number = static_cast<Number>(texts_.size());
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

void AnalysedText::fail(size_t line, const std::string& reason) const {
  throw DataError(fmt::format("{}:{}: {}", name_, line, reason));
}

void AnalysedText::add_token(std::string_view form, size_t line) {
  const std::string shown = without_spaces(form);
  if (shown.empty()) fail(line, "the FORM has nothing but spaces; write what is in the text");
  const size_t begin = characters_.size();
  characters_ += shown;
  tokens_.push_back({begin, characters_.size()});
  token_lines_.push_back(line);
}

void AnalysedText::add_word(const Token& word, bool is_in_multiword) {
  AnalysedWord& added = words_.emplace_back();
  const std::string_view relation = word.deprel().substr(0, word.deprel().find(':'));
  added.span = tokens_.back();
  added.form = is_in_multiword ? numbers_->of(word.form()) : numbers_->of(without_spaces(word.form()));
  added.lemma = numbers_->of(word.lemma());
  added.upos = numbers_->of(word.upos());
  added.xpos = numbers_->of(word.xpos());
  added.feats = numbers_->of(universal_features(word.feats()));
  added.deprel = numbers_->of(relation);
  added.is_in_multiword = is_in_multiword;
  added.has_content_relation = is_one_of(relation, kContentRelations);
}

// Goes through the rows of a sentence.
class AnalysedText::RowAdder {
 public:
  RowAdder(AnalysedText& text, size_t line) : text_(text), line_(line) {}

  void operator()(const MultiwordToken& range) {
    text_.add_token(range.form(), line_++);
    last_in_range_ = range.last();
  }
  void operator()(const EmptyNode& /*node*/) { ++line_; }
  void operator()(int index, const Token& word) {
    const bool is_in_multiword = index <= last_in_range_;
    if (!is_in_multiword) text_.add_token(word.form(), line_);
    text_.add_word(word, is_in_multiword);
    ++line_;
  }

 private:
  AnalysedText& text_;
  size_t line_;
  int last_in_range_ = 0;
};

void AnalysedText::link(const Sentence& sentence, size_t first_word) {
  const auto index_of = [first_word](int word) { return static_cast<int64_t>(first_word) + word - 1; };
  for (int word = sentence.size(); word > 0; --word) {  // backwards, for lists in order
    const int head = sentence[word].head();
    if (head == 0) continue;
    AnalysedWord& child = words_[static_cast<size_t>(index_of(word))];
    if (head == kNoHead) {
      child.parent = AnalysedWord::kUnknown;
      continue;
    }
    child.parent = index_of(head);
    if (!is_one_of(numbers_->text(child.deprel), kFunctionalRelations)) continue;
    AnalysedWord& parent = words_[static_cast<size_t>(child.parent)];
    child.next_functional_sibling = std::exchange(parent.first_functional_child, index_of(word));
  }
}

void AnalysedText::check_tree(const Sentence& sentence, size_t first_line) const {
  if (sentence.empty()) fail(first_line, "the sentence has no words; remove it");
  const std::vector<int> heads = sentence.heads();
  // No head at all: what has been found are sentences and words, and no more.
  if (std::all_of(heads.begin(), heads.end(), [](int head) { return head == kNoHead; })) return;
  const auto fail_at = [&](int word, std::string_view reason) {
    fail(line_of_word(sentence, first_line, word),
         fmt::format("word {} {} {}", word, quoted(sentence[word].form()), reason));
  };
  int root = 0;
  for (int word = 1; word <= sentence.size(); ++word) {
    const int head = heads[word];
    if (head == kNoHead) fail_at(word, "has no head; aligned evaluation is for whole trees");
    if (head > sentence.size()) fail_at(word, "has a head outside the sentence; use the ID of a word");
    if (head != 0) continue;
    if (root != 0) {
      fail_at(word, fmt::format("is a root beside word {}; aligned evaluation is for trees with one", root));
    }
    root = word;
  }
  const std::vector<int> cycle = find_cycle(heads);
  if (!cycle.empty()) fail_at(cycle.front(), "is part of a cycle; give it another head");
}

void AnalysedText::add(const Sentence& sentence, size_t first_line) {
  check_tree(sentence, first_line);
  const size_t begin = characters_.size();
  const size_t first_word = words_.size();
  RowAdder rows(*this, first_line + sentence.comments().size());
  for_each_row(sentence, rows);
  link(sentence, first_word);
  sentences_.push_back({begin, characters_.size()});
}

std::string AnalysedText::place(size_t position) const {
  if (tokens_.empty()) return name_;
  const auto after =
      std::upper_bound(tokens_.begin(), tokens_.end(), position,
                       [](size_t value, const TextSpan& token) { return value < token.begin; });
  const auto token = static_cast<size_t>(std::max<std::ptrdiff_t>(after - tokens_.begin() - 1, 0));
  return fmt::format("{}:{}", name_, token_lines_[token]);
}

}  // namespace copse
