#include "optimisers/hildreth.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace copse {
namespace {

// Of a d_i that is not zero; what multipliers are divided by.
constexpr double kLeastSquare = 1e-30;

}  // namespace

std::span<const double> HildrethSolver::solve(std::span<const double> gram,
                                              std::span<const double> violations,
                                              const HildrethOptions& options) {
  const std::size_t count = violations.size();
  if (gram.size() != count * count) {
    throw std::invalid_argument("the Gram matrix does not fit the constraints");
  }
  multipliers_.assign(count, 0.0);
  double largest_violation = 0.0;
  for (const double violation : violations) largest_violation = std::max(largest_violation, violation);
  has_converged_ = largest_violation == 0.0;

  for (int round = 0; round < options.max_rounds && !has_converged_; ++round) {
    double largest_correction = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const double> row = gram.subspan(i * count, count);
      if (!(row[i] > kLeastSquare)) continue;
      const double surplus = std::inner_product(row.begin(), row.end(), multipliers_.begin(), -violations[i]);
      const double corrected = std::clamp(multipliers_[i] - surplus / row[i], 0.0, options.cap);
      largest_correction = std::max(largest_correction, std::abs(corrected - multipliers_[i]) * row[i]);
      multipliers_[i] = corrected;
    }
    has_converged_ = largest_correction <= options.tolerance * largest_violation;
  }
  return multipliers_;
}

}  // namespace copse
