#pragma once

#include <limits>
#include <span>
#include <vector>

namespace copse {

struct HildrethOptions {
  double cap = std::numeric_limits<double>::infinity();  // upper bound of every multiplier
  // Done when no constraint had to be corrected by more than this part of the largest violation.
  double tolerance = 1e-10;
  int max_rounds = 1000;
};

// The quadratic program of k-best MIRA: the smallest change of w, in 1/2 |w' - w|^2, that satisfies
// w' d_i >= b_i for all i. Its solution is w' = w + sum of alpha_i d_i with multipliers alpha_i >= 0. A
// finite cap allows constraints to be violated at a price of `cap` per unit; without one, constraints that
// contradict each other have no solution, and the multipliers grow until the last round.
//
// Hildreth's algorithm (1957): satisfies one constraint after the other, round after round.
class HildrethSolver {
 public:
  // `gram` holds d_i d_j at [i * k + j]; `violations` b_i - w d_i. Returns the multipliers, valid until the
  // next call. Constraints whose d_i is zero get 0. Where constraints depend on each other, only w' is
  // unique.
  std::span<const double> solve(std::span<const double> gram, std::span<const double> violations,
                                const HildrethOptions& options = {});

  // Whether the last call came to an end before its last round.
  bool has_converged() const { return has_converged_; }

 private:
  std::vector<double> multipliers_;
  bool has_converged_ = true;
};

}  // namespace copse
