#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse {

// Weights that AdaGrad changes: every feature has its own step size, which falls with the gradients that it
// has seen (Duchi et al. 2011), and its own share of the L2 penalty.
class AdagradWeights {
 public:
  // `step` is the length of a first step.
  AdagradWeights(std::vector<float> start, double l2, double step)
      : l2_(l2),
        step_(step),
        values_(std::move(start)),
        squares_(values_.size()),
        penalty_factors_(values_.size(), 1.0F) {}

  // In how many of all examples each weight is used, when steps are taken after batches of so many.
  void set_example_counts(std::span<const std::uint32_t> examples, std::size_t all, std::size_t batch);

  // Takes a step against the gradient of a batch that is so large a share of the data.
  void step(std::uint32_t feature, double gradient, double share_of_data);

  double penalty() const;

  const std::vector<float>& values() const { return values_; }
  const std::vector<float>& squares() const { return squares_; }  // per feature: sum of squared gradients
  // For checkpoints.
  std::vector<float>& values() { return values_; }
  std::vector<float>& squares() { return squares_; }

 private:
  double l2_;
  double step_;
  std::vector<float> values_;
  std::vector<float> squares_;
  std::vector<float> penalty_factors_;  // makes up for the batches that do not contain a feature
};

}  // namespace copse
