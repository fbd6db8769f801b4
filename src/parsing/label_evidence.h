#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "features/sentence_parts.h"
#include "model/potential_source.h"

namespace copse {

// What is known about the labels of a sentence, and what follows from it for arcs: a word whose label is
// known has only arcs that may have this label. A workspace for one thread.
class LabelEvidence {
 public:
  // The lists are borrowed. `constraints` are those of heads. Where no tree in `trees` has all known labels,
  // the fewest possible are set aside, as if they were not known. With `are_roots_attached`, arcs from the
  // root stand for others, of which nothing is known: they may have any label.
  void assign(PotentialSource& source, int words, TreeSpace trees, const Constraints& constraints,
              AllowedLabels known, bool are_roots_attached);

  // Words whose labels are set aside.
  std::span<const int> set_aside() const { return set_aside_; }
  // The arcs that have none of the labels that their words are known to have.
  std::span<const Arc> impossible_arcs() const { return impossible_; }
  // Those that an arc may have; empty: any.
  std::span<const Label> allowed(Arc arc) const {
    if (allowed_.empty() || is_unlabelled(arc)) return {};
    return allowed_[static_cast<std::size_t>(arc.modifier)];
  }
  // Whether the label of an arc is none that the model chooses, because the arc stands for another one, or
  // the label is known and set aside: the model's labels are summed over, and are no part of labelled trees.
  bool is_unlabelled(Arc arc) const {
    return (are_roots_attached_ && arc.head == 0) ||
           std::find(set_aside_.begin(), set_aside_.end(), arc.modifier) != set_aside_.end();
  }
  // The candidates of an arc that are allowed. Lasts until the next call, and as long as `labels` does.
  ArcLabels restrict(Arc arc, const ArcLabels& labels);

 private:
  bool is_possible(PotentialSource& source, Arc arc) const;
  void set_aside_fewest(TreeSpace trees, const Constraints& constraints);

  bool are_roots_attached_ = false;
  std::vector<std::span<const Label>> allowed_;  // by word
  std::vector<Arc> impossible_;
  std::vector<int> set_aside_;
  SentenceParts all_arcs_;
  Potentials losses_;  // by arc: minus 1 if the known label of its modifier is lost
  TreeDistribution trees_;
  std::vector<int> heads_;
  std::vector<std::size_t> kept_;  // of an arc's candidates
  std::vector<Label> labels_;
  std::vector<double> scores_;
};

}  // namespace copse
