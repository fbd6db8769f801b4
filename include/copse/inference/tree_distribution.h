#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "copse/error.h"
#include "copse/inference/part_index.h"

namespace copse {

// How sums are computed. `linear` is fast: products of scaled weights in double precision, used when it can
// be proved, beforehand or (long sentences) after the fact, that nothing that matters has been lost. `log`
// holds for any magnitude. `automatic` takes linear where there is such a proof, and log elsewhere; asking
// for `linear` throws std::range_error where there is none.
enum class Arithmetic { automatic, linear, log };

class NonprojectiveDistribution;

// Restricts the distribution to trees that contain some arcs and avoid others.
struct Constraints {
  static constexpr int kAnyHead = -1;
  std::vector<int> heads;      // empty, or n + 1 entries: entry m is the required head of m, or kAnyHead
  std::vector<Arc> forbidden;  // arcs that no tree may contain
};

// A tree and the sum of the potentials of its parts. heads[0] is 0 and means nothing.
struct ScoredTree {
  std::vector<int> heads;
  double score = 0.0;
};

// The distribution over all trees of one sentence, P(tree) ∝ exp(sum of potentials of its parts), and every
// exact question about it. Answers are computed on demand and kept until the next assign(). Trees are
// projective unless assign() is told otherwise; then NonprojectiveDistribution answers.
//
// An object is a workspace: keep one per thread and assign sentence after sentence to it; once it has seen
// the largest one it allocates no more. It is not safe to use one object from two threads at a time.
//
// Heads are given as n + 1 integers; entry 0 is ignored on input and 0 on output.
class TreeDistribution {
 public:
  TreeDistribution();
  ~TreeDistribution();
  TreeDistribution(TreeDistribution&&) noexcept;
  TreeDistribution& operator=(TreeDistribution&&) noexcept;

  // Potentials may be minus infinity (the part is impossible), but not NaN or above kLargestPotential, nor so
  // far below zero that the score of every tree overflows (throws std::invalid_argument), and there is at
  // least one word. `parts` and `potentials` are borrowed until the next assign(). Nonprojective trees have
  // parts of first order only (else std::invalid_argument).
  void assign(const PartIndex& parts, const Potentials& potentials, TreeSpace trees,
              const Constraints& constraints = {}, Arithmetic arithmetic = Arithmetic::automatic);

  // Log of the sum over all trees. Throws InfeasibleError if there is none; so does every other question, but
  // for score().
  double log_partition();
  // Probability of every part of every order.
  const Marginals& marginals();
  // The same, moved into `marginals`, whose memory is taken in exchange: no copy of what may be many numbers.
  // If they are asked for again, they are computed again.
  void move_marginals_to(Marginals& marginals);
  // Entropy of the distribution over trees, in nats.
  double entropy();
  // The tree of the highest score, which is returned.
  double best_tree(std::span<int> heads);
  // The k trees of the highest score, best first; fewer if there are fewer. Elements of `trees` are reused.
  void k_best(int k, std::vector<ScoredTree>& trees);
  // One tree drawn from the distribution; returns its score.
  double sample(std::mt19937_64& random, std::span<int> heads);
  // The tree with the highest expected number of correct arcs, which is returned.
  double min_risk_tree(std::span<int> heads);
  // Sum of the potentials of the tree's parts; minus infinity for trees outside the distribution.
  double score(std::span<const int> heads) const;
  // score - log_partition.
  double log_probability(std::span<const int> heads);

  // The arithmetic that the last sum really used.
  Arithmetic arithmetic_used() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<NonprojectiveDistribution> nonprojective_;  // made when first needed
  bool is_nonprojective_ = false;
};

}  // namespace copse
