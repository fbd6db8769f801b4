#pragma once

#include <functional>
#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "model/label_rows.h"

namespace copse {

// A tree with one of its labellings, and the score of both together.
struct LabelledParse {
  static constexpr int kNoLabel = -1;
  std::vector<int> heads;
  std::vector<int> labels;  // by modifier; kNoLabel where the arc has none, as entry 0
  double score = 0.0;
};

// The labels that the arcs of one tree can have, each independent of the others, and what the score of the
// tree loses by them. A workspace.
class LabelChoices {
 public:
  void clear() {
    choices_.clear();
    starts_.assign(1, 0);
  }
  // For the words from 1 on, one after the other: the labels of a word's arc (none: it has no label) and
  // their scores.
  void add_word(std::span<const Label> labels, std::span<const double> scores);

  int words() const { return static_cast<int>(starts_.size()) - 1; }
  // Of the arc of a word, counted from 1.
  int count(int word) const { return static_cast<int>(starts_[at(word) + 1] - starts_[at(word)]); }
  // By rank, the best one first, which loses nothing.
  Label label(int word, int rank) const { return choice(word, rank).label; }
  double loss(int word, int rank) const { return choice(word, rank).loss; }

 private:
  struct Choice {
    Label label;
    double loss;
  };
  static std::size_t at(int word) { return static_cast<std::size_t>(word) - 1; }
  const Choice& choice(int word, int rank) const {
    return choices_[starts_[at(word)] + static_cast<std::size_t>(rank)];
  }

  std::vector<Choice> choices_;
  std::vector<std::size_t> starts_;  // by word, and the end
};

// The k best labelled trees, lazily, given the k best trees in the order of their best labellings' scores.
// (Whatever other tree there is, these k with their best labels are as good as any labelling of it.) Within a
// tree, labels of different arcs are independent: the next best labelling is found from those before in
// constant time. A workspace.
class LabelledKBest {
 public:
  // `choose` sets the choices of a tree's labels. Called only for trees of which more than the best labelling
  // may be wanted, or the labels of that.
  using Choose = std::function<void(std::span<const int> heads, LabelChoices& choices)>;
  void run(int k, std::span<const ScoredTree> trees, const Choose& choose,
           std::vector<LabelledParse>& result);

 private:
  static constexpr int kNone = -1;

  // A labelling: that of `base`, which has the best labels from `place` on, with the label of this rank in
  // this place. Places are the words of a tree that have a second label, in the order of its loss. Without a
  // base and a place: the best labels everywhere.
  struct Labelling {
    double score;
    int tree;
    int base = kNone;
    int place = kNone;
    int rank = 0;
  };
  struct Tree {
    bool is_open = false;
    LabelChoices choices;
    std::vector<int> places;  // their words
  };

  void open(Tree& tree, std::span<const int> heads, const Choose& choose);
  void push(const Labelling& labelling);
  void add_successors(int number);
  void write(int number, std::span<const int> heads, LabelledParse& result) const;

  std::vector<Tree> trees_;
  std::vector<Labelling> labellings_;
  std::vector<int> heap_;
};

}  // namespace copse
