#pragma once

#include <memory>
#include <random>
#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"

namespace copse {

// The distribution over all trees of one sentence, arcs may cross, P(tree) ∝ exp(sum of the potentials of its
// arcs), and every exact question about it. docs/nonprojective.md says how the answers are found.
//
// The contract is that of TreeDistribution: a workspace that answers on demand, errors and heads alike. Parts
// are of first order, else assign() throws std::invalid_argument.
class NonprojectiveDistribution {
 public:
  NonprojectiveDistribution();
  ~NonprojectiveDistribution();
  NonprojectiveDistribution(NonprojectiveDistribution&&) noexcept;
  NonprojectiveDistribution& operator=(NonprojectiveDistribution&&) noexcept;

  void assign(const PartIndex& parts, const Potentials& potentials, RootMode root,
              const Constraints& constraints = {}, Arithmetic arithmetic = Arithmetic::automatic);

  // O(n³). Exact for potentials of any size: no step subtracts.
  double log_partition();
  // O(n³); those of arcs.
  const Marginals& marginals();
  // See TreeDistribution.
  void move_marginals_to(Marginals& marginals);
  double entropy();
  // O(n²).
  double best_tree(std::span<int> heads);
  // O(k n³) at worst.
  void k_best(int k, std::vector<ScoredTree>& trees);
  // O(n²) as a rule, after the O(n³) of the log-partition.
  double sample(std::mt19937_64& random, std::span<int> heads);
  double min_risk_tree(std::span<int> heads);
  double score(std::span<const int> heads) const;
  double log_probability(std::span<const int> heads);

  Arithmetic arithmetic_used() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
