#pragma once

#include <span>
#include <vector>

#include "network/arc_biaffine.h"
#include "network/label_biaffine.h"
#include "network/network.h"

namespace copse {

// Scores of arcs, labels and tags from the roles of words, when parsing: as ArcBiaffine, LabelBiaffine and
// TagClassifier define them, in 8 bits where words are multiplied with weights. What comes out for a sentence
// does not depend on the others of its batch. A workspace for one thread.
class RoleScores {
 public:
  // Borrows the network.
  explicit RoleScores(const Network& network) : network_(&network), columns_(network.shape()) {}

  // Borrows the roles of a batch until the next call.
  void prepare(ConstMatrix roles);

  // Of a sentence of the batch, whose first row is the root; all are valid until the next call.
  // [modifier][head].
  ConstMatrix arcs(RowRange sentence);
  // [modifier][label], of the arcs of a tree or a part of one (below 0: no arc).
  ConstMatrix labels(RowRange sentence, std::span<const int> heads);
  // [word][value], the values of all columns side by side.
  ConstMatrix tags(RowRange sentence);

 private:
  ConstMatrix role(RowRange rows, Columns columns) const {
    return {roles_.row(rows.begin) + columns.begin, rows.size, columns.size, roles_.stride};
  }
  // The rows in a role, times the weights.
  ConstMatrix product(RowRange rows, Columns columns, const QuantisedWeights::Affine& weights,
                      std::vector<float>& result);

  const Network* network_;
  RoleColumns columns_;
  ConstMatrix roles_;
  QuantisedRows rows_;
  std::vector<float> arc_products_;    // [row of the batch][arc_size]
  std::vector<float> label_products_;  // [arc][label][label_size + 1], of some arcs
  std::vector<float> arc_scores_;
  std::vector<float> label_scores_;
  std::vector<float> tag_scores_;
};

}  // namespace copse
