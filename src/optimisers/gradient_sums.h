#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/large_pages.h"
#include "parallel/task_pool.h"

namespace copse {

// The gradient of a sum over examples, in fixed point: each worker adds up what it comes across, and the
// result does not depend on who did what, on which process.
class GradientSums {
 public:
  GradientSums(int workers, std::size_t features)
      : sums_(static_cast<std::size_t>(workers), LargeVector<std::int64_t>(features)) {}

  std::int64_t* of(int worker) { return sums_[static_cast<std::size_t>(worker)].data(); }

  // Back to zero, after something went wrong.
  void clear();

  // Overwrites the gradient, of which every process has its part, by that of the sums and of l2 / 2 * |w|^2
  // at these weights, and returns the penalty. Leaves zeros.
  double finish(std::span<const float> weights, double l2, std::span<float> gradient, TaskPool& pool);

 private:
  void add_up_team(TaskPool& pool);

  std::vector<LargeVector<std::int64_t>> sums_;  // by worker
};

}  // namespace copse
