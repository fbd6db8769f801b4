#pragma once

#include <memory>
#include <span>
#include <vector>

#include "optimisers/gradient_sums.h"
#include "optimisers/lbfgs.h"
#include "optimisers/objective.h"

namespace copse {

// The sum of the losses of all examples of all processes plus l2 / 2 * |w|^2, and its gradient. The same bits
// for every number of threads and processes.
class RegularisedLoss : public DifferentiableFunction {
 public:
  // Borrows the objective and the pool.
  RegularisedLoss(const Objective& objective, double l2, TaskPool& pool);

  std::size_t dimension() const override { return dimension_; }
  double evaluate(std::span<const float> weights, std::span<float> gradient) override;

 private:
  std::size_t dimension_;
  float l2_;
  TaskPool* pool_;
  std::vector<std::size_t> order_;                             // expensive examples first
  std::vector<double> losses_;                                 // by example
  std::vector<std::unique_ptr<ExampleWorkspace>> workspaces_;  // by worker
  GradientSums gradients_;
};

}  // namespace copse
