#include "optimisation/gradient_sums.h"

#include <algorithm>
#include <utility>

#include "optimisation/chunked_sums.h"
#include "optimisation/fixed_point.h"

namespace copse {

void GradientSums::clear() {
  for (LargeVector<std::int64_t>& sums : sums_) std::fill(sums.begin(), sums.end(), 0);
}

double GradientSums::finish(std::span<const float> weights, double l2, std::span<float> gradient,
                            TaskPool& pool) {
  ChunkedSums chunks(pool, weights.size(), 1);
  const auto squares = chunks(1, [&](VectorRange range, double* square) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      std::int64_t sum = 0;
      for (LargeVector<std::int64_t>& worker : sums_) sum += std::exchange(worker[k], 0);
      const double weight = weights[k];
      gradient[k] = static_cast<float>(from_fixed_point(sum) + l2 * weight);
      *square += l2 * weight * weight;
    }
  });
  return 0.5 * squares[0];
}

}  // namespace copse
