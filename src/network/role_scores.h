#pragma once

#include <span>
#include <vector>

#include "network/arc_biaffine.h"
#include "network/label_biaffine.h"
#include "network/network.h"

namespace copse {

// Scores of arcs, labels and tags from the roles of words, when parsing: as ArcBiaffine, LabelBiaffine and
// TagClassifier define them, in 8 bits where words are multiplied with weights. A workspace for one thread.
class RoleScores {
 public:
  // Borrows the network.
  explicit RoleScores(const Network& network) : network_(&network), columns_(network.shape()) {}

  // All take the roles of one sentence, whose first row is the root. What they return is valid until the next
  // call of the same function.
  // [modifier][head].
  ConstMatrix arcs(ConstMatrix roles);
  // [modifier][label], of the arcs of a tree or a part of one (below 0: no arc).
  ConstMatrix labels(ConstMatrix roles, std::span<const int> heads);
  // [word][value], the values of all columns side by side.
  ConstMatrix tags(ConstMatrix roles);

 private:
  // Words in a role, times the weights.
  ConstMatrix product(ConstMatrix role, const QuantisedWeights::Affine& weights, std::vector<float>& result);

  const Network* network_;
  RoleColumns columns_;
  QuantisedRows rows_;
  std::vector<float> arc_products_;    // [modifier][arc_size]
  std::vector<float> label_products_;  // [arc][label][label_size + 1], of some arcs
  std::vector<float> arc_scores_;
  std::vector<float> label_scores_;
  std::vector<float> tag_scores_;
};

}  // namespace copse
