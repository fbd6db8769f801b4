#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/label_rows.h"
#include "model/prepared_batch.h"

namespace copse {

// Labels the arcs of trees whose heads have been found. A workspace for one thread; the model is shared.
class TreeLabeller {
 public:
  virtual ~TreeLabeller() = default;

  // Sets the labels of all words that have a head in `heads` (n + 1 entries, kNoHead for none), and "_" for
  // the others; if wanted, also the probability of each label given the tree, 0 where there is none. `known`
  // is what is known of the labels: the others, and their probabilities, are those given it. Known labels
  // that an arc cannot have do not count.
  virtual void label(PreparedSentence sentence, std::span<const int> heads, AllowedLabels known,
                     std::vector<std::string>& labels, std::vector<double>* probabilities) = 0;

  // Whether the label of an arc depends on this arc alone: then `heads` can be any arcs, not only a tree.
  virtual bool labels_arcs_alone() const = 0;
};

}  // namespace copse
