#include "optimisers/gradient_sums.h"

#include <algorithm>
#include <utility>

#include "optimisers/chunked_sums.h"
#include "optimisers/fixed_point.h"

namespace copse {

void GradientSums::clear() {
  for (LargeVector<std::int64_t>& sums : sums_) std::fill(sums.begin(), sums.end(), 0);
}

// Leaves the sums of all workers and processes in this process's part of the first worker's, and zeros
// everywhere else.
void GradientSums::add_up_team(TaskPool& pool) {
  LargeVector<std::int64_t>& sums = sums_.front();
  const std::size_t size = sums.size();
  const auto for_chunks = [&](const auto& work) {
    pool.for_each((size + kVectorChunk - 1) / kVectorChunk, [&](std::size_t chunk, int) {
      work(VectorRange{chunk * kVectorChunk, std::min(size, (chunk + 1) * kVectorChunk)});
    });
  };
  if (sums_.size() > 1) {
    for_chunks([&](VectorRange range) {
      for (std::size_t worker = 1; worker < sums_.size(); ++worker) {
        for (std::size_t k = range.begin; k < range.end; ++k) sums[k] += std::exchange(sums_[worker][k], 0);
      }
    });
  }
  Team& team = pool.team();
  team.add_up_parts(sums, part_bounds(team, size));
  const VectorRange own = own_part(team, size);
  for_chunks([&](VectorRange range) {
    if (range.begin >= own.begin && range.end <= own.end) return;
    std::fill(sums.data() + range.begin, sums.data() + range.end, 0);
  });
}

double GradientSums::finish(std::span<const float> weights, double l2, std::span<float> gradient,
                            TaskPool& pool) {
  if (!pool.team().is_alone()) add_up_team(pool);
  const std::size_t begin = own_part(pool.team(), weights.size()).begin;
  ChunkedSums chunks(pool, weights.size(), 1);
  const auto squares = chunks(1, [&](VectorRange range, double* square) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      std::int64_t sum = 0;
      for (LargeVector<std::int64_t>& worker : sums_) sum += std::exchange(worker[begin + k], 0);
      const double weight = weights[begin + k];
      gradient[k] = static_cast<float>(from_fixed_point(sum) + l2 * weight);
      *square += l2 * weight * weight;
    }
  });
  return 0.5 * squares[0];
}

}  // namespace copse
