#pragma once

#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"

namespace copse {

// What learners ask about one sentence, as a function of the potentials of its parts alone: losses, and their
// derivatives by each potential. Where the potentials come from, and what receives the derivatives, is up to
// the caller: the weights of hashed features (Example), or anything else that scores parts. A workspace for
// one thread.
class TreeLoss {
 public:
  explicit TreeLoss(TreeSpace trees) : trees_(trees) {}

  // All is borrowed until the next call. The heads are those of the gold tree, below 0 where they are not
  // known; `is_complete` says that all are known.
  void assign(const PartIndex& parts, const Potentials& potentials, std::span<const int> heads,
              bool is_complete);
  // Other potentials for the trees that agree with a partial gold tree: with labels, what is left of them
  // where some are known. Borrowed; counts until the next assign().
  void set_gold_potentials(const Potentials& potentials) { gold_potentials_ = &potentials; }

  TreeDistribution& distribution() { return distribution_; }

  // Log of the sum over the trees that agree with what is known of the gold tree: the score of the gold tree,
  // if that is all.
  double gold_log_sum();
  // Minus the log-probability of the gold tree, or of all trees that agree with a partial one.
  double log_loss() { return distribution_.log_partition() - gold_log_sum(); }
  // Sets the coefficients to the derivatives of log_loss() by the potentials: expected minus gold parts.
  void differentiate();
  // How much of each labelled part is gold: 1 and 0 or, of a partial tree, probabilities. After
  // differentiate().
  const std::vector<double>& gold_labelled_parts();

  // The gold tree; for a partial one, the best tree that agrees with it.
  void gold_tree(std::vector<int>& heads);
  // Sets the coefficients to the parts of the gold tree minus those of `other`.
  void compare(std::span<const int> gold_tree, std::span<const int> other);

  // d loss / d potential, by part.
  const PartValues& coefficients() const { return coefficients_; }

 private:
  TreeDistribution& gold_trees();
  void add_tree(std::span<const int> heads, double amount);

  TreeSpace trees_;
  const PartIndex* parts_ = nullptr;
  const Potentials* potentials_ = nullptr;
  const Potentials* gold_potentials_ = nullptr;
  std::span<const int> heads_;
  bool is_complete_ = true;
  TreeDistribution distribution_;
  TreeDistribution restricted_;  // to the trees that agree with a partial one
  bool has_restricted_ = false;
  Constraints constraints_;
  PartValues coefficients_;
  std::vector<double> gold_labelled_;
};

// Adds `margin` to the potential of every arc that contradicts a known head.
void add_margin(const PartIndex& parts, std::span<const int> heads, double margin, Potentials& potentials);

}  // namespace copse
