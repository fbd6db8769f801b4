#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learning/example.h"
#include "learning/feature_lists.h"
#include "optimisation/gradient_sums.h"
#include "optimisation/lbfgs.h"

namespace copse {

// The regularised negative log-likelihood of a training set,
//     - sum over sentences of log P(tree) + sum over features of penalty / 2 * w^2,
// and its gradient; with a margin (see TrainingOptions), that of softmax-margin. The same bits for every
// number of threads.
class Likelihood : public DifferentiableFunction {
 public:
  // Borrows all of them.
  Likelihood(const FeatureLists& lists, std::span<const float> penalties, TreeSpace trees, TaskPool& pool,
             double margin = 0.0);

  std::size_t dimension() const override { return penalties_.size(); }
  double evaluate(std::span<const float> weights, std::span<float> gradient) override;

 private:
  std::span<const float> penalties_;
  TaskPool* pool_;
  std::vector<std::size_t> order_;  // expensive sentences first
  std::vector<double> losses_;      // by sentence
  std::vector<Example> examples_;   // by worker
  GradientSums gradients_;
};

}  // namespace copse
