#include "optimisers/regularised_loss.h"

#include <algorithm>
#include <numeric>

#include "optimisers/orderless_sum.h"
#include "optimisers/workspaces.h"

namespace copse {

RegularisedLoss::RegularisedLoss(const Objective& objective, double l2, TaskPool& pool)
    : dimension_(objective.weights()),
      l2_(static_cast<float>(l2)),
      pool_(&pool),
      order_(objective.examples()),
      losses_(objective.examples()),
      workspaces_(make_workspaces(objective, pool.threads())),
      gradients_(pool.threads(), dimension_) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return objective.cost(a) > objective.cost(b); });
}

double RegularisedLoss::evaluate(std::span<const float> weights, std::span<float> gradient) {
  const auto add_example = [&](std::size_t k, int worker) {
    ExampleWorkspace& workspace = *workspaces_[static_cast<std::size_t>(worker)];
    losses_[order_[k]] = workspace.loss(order_[k], weights);
    workspace.add_gradient(gradients_.of(worker), nullptr);
  };
  try {
    pool_->for_each(order_.size(), add_example);
  } catch (...) {
    gradients_.clear();
    throw;
  }
  const double penalty = gradients_.finish(weights, l2_, gradient, *pool_);
  return orderless_sum(pool_->team(), losses_) + penalty;
}

}  // namespace copse
