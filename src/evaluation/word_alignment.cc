#include "evaluation/word_alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "copse/error.h"
#include "text/unicode.h"

namespace copse {
namespace {

// For the bits of one table: half a gigabyte. Only broken files have ranges that overlap over thousands of
// words.
constexpr size_t kMostCells = size_t{1} << 32;

// The words of one file, and the one that is looked at.
class Side {
 public:
  explicit Side(const AnalysedText& text) : words_(text.words()) {}

  bool at_end() const { return next_ == words_.size(); }
  size_t next() const { return next_; }
  const AnalysedWord& word() const { return words_[next_]; }
  size_t begin() const { return at_end() ? std::numeric_limits<size_t>::max() : word().span.begin; }
  bool is_in_multiword() const { return word().is_in_multiword; }
  void advance() { ++next_; }

  // Whether the word takes no part in a multiword span that ends at `end`. A word of a multiword token takes
  // part if any of its characters does, and then makes the span longer; any other word only as a whole.
  bool is_beyond(size_t end) const {
    if (at_end()) return true;
    return is_in_multiword() ? word().span.begin >= end : word().span.end > end;
  }

 private:
  std::span<const AnalysedWord> words_;
  size_t next_ = 0;
};

// Which of two sequences to step forward in, in order to follow a longest common subsequence.
class CommonSubsequence {
 public:
  using Items = std::span<const StringNumbers::Number>;

  CommonSubsequence(Items gold, Items system)
      : columns_(system.size()), gold_is_dispensable_(gold.size() * columns_) {
    std::vector<int32_t> below(columns_ + 1, 0);  // lengths, for the suffixes of the next gold item on
    std::vector<int32_t> row(columns_ + 1, 0);
    for (size_t g = gold.size(); g-- > 0;) {
      for (size_t s = columns_; s-- > 0;) {
        const int32_t with_both = gold[g] == system[s] ? below[s + 1] + 1 : 0;
        row[s] = std::max({with_both, below[s], row[s + 1]});
        gold_is_dispensable_[g * columns_ + s] = row[s] == below[s];
      }
      row.swap(below);
    }
  }

  // Whether the suffixes from these items on have no longer subsequence than without the gold item.
  bool gold_is_dispensable(size_t gold, size_t system) const {
    return gold_is_dispensable_[gold * columns_ + system];
  }

 private:
  size_t columns_;
  std::vector<bool> gold_is_dispensable_;
};

class WordAligner {
 public:
  WordAligner(const AnalysedText& gold, const AnalysedText& system)
      : gold_text_(gold),
        system_text_(system),
        gold_(gold),
        system_(system),
        gold_of_system_(system.words().size(), kNotAligned) {}

  std::vector<int64_t> align() {
    while (!gold_.at_end() && !system_.at_end()) {
      if (gold_.is_in_multiword() || system_.is_in_multiword()) {
        align_multiword_span();
      } else {
        align_tokens();
      }
    }
    return std::move(gold_of_system_);
  }

 private:
  void connect(size_t gold, size_t system) { gold_of_system_[system] = static_cast<int64_t>(gold); }

  void align_tokens() {
    if (gold_.word().span == system_.word().span) {
      connect(gold_.next(), system_.next());
      gold_.advance();
      system_.advance();
    } else if (gold_.begin() <= system_.begin()) {
      gold_.advance();
    } else {
      system_.advance();
    }
  }

  void align_multiword_span() {
    Side& owner = gold_.is_in_multiword() ? gold_ : system_;
    Side& other = gold_.is_in_multiword() ? system_ : gold_;
    size_t end = owner.word().span.end;
    // Such a word sticks out at the left. Were there a second one, the shared task's rules would keep it.
    if (!other.is_in_multiword() && other.begin() < owner.begin()) other.advance();
    const size_t first_gold = gold_.next();
    const size_t first_system = system_.next();
    while (!gold_.is_beyond(end) || !system_.is_beyond(end)) {
      Side& side = !gold_.at_end() && gold_.begin() <= system_.begin() ? gold_ : system_;
      if (side.is_in_multiword()) end = std::max(end, side.word().span.end);
      side.advance();
    }
    align_by_forms(first_gold, first_system);
  }

  // The words from these on and up to those that the sides have come to.
  void align_by_forms(size_t gold, size_t system) {
    std::vector<StringNumbers::Number> gold_forms = forms(gold_text_, gold, gold_.next());
    std::vector<StringNumbers::Number> system_forms = forms(system_text_, system, system_.next());
    // Equal forms are always aligned when they meet, so a common beginning needs no table.
    const auto [gold_rest, system_rest] =
        std::mismatch(gold_forms.begin(), gold_forms.end(), system_forms.begin(), system_forms.end());
    const auto common = static_cast<size_t>(gold_rest - gold_forms.begin());
    for (size_t k = 0; k < common; ++k) connect(gold + k, system + k);
    gold += common;
    system += common;
    const std::span rows(gold_rest, gold_forms.end());
    const std::span columns(system_rest, system_forms.end());
    if (rows.empty() || columns.empty()) return;
    check_cells(gold, rows.size(), system, columns.size());
    const CommonSubsequence common_forms(rows, columns);
    for (size_t g = 0, s = 0; g < rows.size() && s < columns.size();) {
      if (rows[g] == columns[s]) {
        connect(gold + g++, system + s++);
      } else if (common_forms.gold_is_dispensable(g, s)) {
        ++g;
      } else {
        ++s;
      }
    }
  }

  std::vector<StringNumbers::Number> forms(const AnalysedText& text, size_t begin, size_t end) {
    std::vector<StringNumbers::Number> numbers;
    for (size_t word = begin; word < end; ++word) {
      numbers.push_back(small_forms_.of(lower_case(text.form(text.words()[word]))));
    }
    return numbers;
  }

  void check_cells(size_t gold, size_t gold_words, size_t system, size_t system_words) const {
    if (gold_words <= kMostCells / system_words) return;
    throw DataError(fmt::format(
        "{}: from here on multiword tokens overlap with those of {} over {} words; check the ranges",
        system_text_.place(system_text_.words()[system].span.begin),
        gold_text_.place(gold_text_.words()[gold].span.begin), std::max(gold_words, system_words)));
  }

  const AnalysedText& gold_text_;
  const AnalysedText& system_text_;
  Side gold_;
  Side system_;
  StringNumbers small_forms_;
  std::vector<int64_t> gold_of_system_;
};

}  // namespace

std::vector<int64_t> align_words(const AnalysedText& gold, const AnalysedText& system) {
  return WordAligner(gold, system).align();
}

}  // namespace copse
