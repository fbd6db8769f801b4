#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/root_labels.h"
#include "network/network_pass.h"

namespace copse {

// Labels the arcs of trees with what a network says about them, each arc by itself. A workspace for one
// thread.
class NetworkLabels {
 public:
  // Borrows both.
  NetworkLabels(NetworkPass& pass, const RootLabels& root_labels)
      : pass_(&pass), root_labels_(&root_labels) {}

  // Sets the labels of all words that have a head in `heads` (n + 1 entries, kNoHead for none), and "_" for
  // the others; if wanted, also the probability of each label given the arc, 0 where there is none. The
  // sentence is one that the pass has prepared.
  void label(std::size_t number, std::span<const int> heads, std::vector<std::string>& labels,
             std::vector<double>* probabilities = nullptr);

 private:
  NetworkPass* pass_;
  const RootLabels* root_labels_;
  std::vector<double> scores_;
};

// Which labels the arcs from the root have in training data, and which the others.
RootLabels count_root_labels(std::span<const std::string> labels, std::span<const Sentence* const> sentences);

}  // namespace copse
