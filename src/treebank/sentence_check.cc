#include "treebank/sentence_check.h"

#include <utility>
#include <vector>

#include "text/utf8.h"
#include "treebank/rows.h"
#include "trees/heads.h"

namespace copse {
namespace {

// Looks at the rows one by one and keeps the first defect.
class RowCheck {
 public:
  explicit RowCheck(const Sentence& sentence) : size_(sentence.size()) {}

  void operator()(const MultiwordToken& range) {
    if (range.last() > size_) {
      report("the range " + std::to_string(range.first()) + "-" + std::to_string(range.last()) +
             " goes beyond the last word, " + std::to_string(size_) + "; correct the range or add the words");
    }
    ++row_;
  }
  void operator()(const EmptyNode& node) {
    if (node.word() > size_) {
      report("the empty node " + std::to_string(node.word()) + "." + std::to_string(node.index()) +
             " comes after a word that is not there; the last word is " + std::to_string(size_));
    }
    ++row_;
  }
  void operator()(int index, const Token& word) {
    if (word.head() > size_) {
      report("the head of word " + std::to_string(index) + " is " + std::to_string(word.head()) +
             ", outside 0.." + std::to_string(size_) +
             "; use the ID of a word, 0 for the root or _ for none");
    }
    ++row_;
  }

  std::optional<Defect> take() { return std::move(defect_); }

 private:
  void report(std::string reason) {
    if (!defect_) defect_ = Defect{row_, std::move(reason)};
  }

  int size_;
  size_t row_ = 0;
  std::optional<Defect> defect_;
};

class RowOfWord {
 public:
  explicit RowOfWord(int word) : word_(word) {}
  void operator()(const Row& /*range_or_node*/) { row_ += found_ ? 0 : 1; }
  void operator()(int index, const Token& /*word*/) {
    found_ = found_ || index == word_;
    row_ += found_ ? 0 : 1;
  }
  size_t row() const { return row_; }

 private:
  int word_;
  bool found_ = false;
  size_t row_ = 0;
};

Defect describe_cycle(const Sentence& sentence, const std::vector<int>& cycle) {
  RowOfWord lowest(cycle.front());
  for_each_row(sentence, lowest);
  const auto named = [&sentence](int word) {
    return std::to_string(word) + " " + quoted(sentence[word].form());
  };
  if (cycle.size() == 1) {
    return {lowest.row(), "word " + named(cycle.front()) + " is its own head; give it another head"};
  }
  constexpr size_t kWordsToName = 10;
  std::string reason = "the heads form a cycle: ";
  for (size_t k = 0; k < cycle.size() && k < kWordsToName; ++k) reason += named(cycle[k]) + " -> ";
  if (cycle.size() > kWordsToName) reason += "... -> ";
  reason += std::to_string(cycle.front()) + "; give one of these words another head";
  return {lowest.row(), reason};
}

}  // namespace

std::optional<Defect> find_defect(const Sentence& sentence, bool check_cycles) {
  if (sentence.empty()) return Defect{0, "the sentence has no words; add some or remove the rest of it"};
  RowCheck check(sentence);
  for_each_row(sentence, check);
  std::optional<Defect> defect = check.take();
  if (!defect && check_cycles) {
    const std::vector<int> cycle = find_cycle(sentence.heads());
    if (!cycle.empty()) defect = describe_cycle(sentence, cycle);
  }
  return defect;
}

}  // namespace copse
