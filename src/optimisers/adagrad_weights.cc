#include "optimisers/adagrad_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace copse {
namespace {

// Of the penalty of a weight that so many examples use, the share that a pass would charge if every batch
// that uses the weight charged its own share.
double expected_charge(double examples, double all, double batch_size) {
  const auto charge_of = [&](double batch) {
    double chance_of_none = 1.0;
    for (double k = 0.0; k < batch; ++k) chance_of_none *= std::max(0.0, all - examples - k) / (all - k);
    return batch / all * (1.0 - chance_of_none);
  };
  const double full = std::min(batch_size, all);
  const double full_batches = std::floor(all / full);
  return full_batches * charge_of(full) + charge_of(all - full_batches * full);
}

}  // namespace

void AdagradWeights::set_example_counts(std::span<const std::uint32_t> examples, std::size_t all,
                                        std::size_t batch) {
  std::vector<float> factors(all + 1);
  for (std::size_t k = 1; k < factors.size(); ++k) {
    factors[k] = static_cast<float>(
        1.0 / expected_charge(static_cast<double>(k), static_cast<double>(all), static_cast<double>(batch)));
  }
  for (std::size_t k = 0; k < examples.size(); ++k) penalty_factors_[k] = factors[examples[k]];
}

void AdagradWeights::step(std::uint32_t feature, double loss_gradient, double share_of_data) {
  // The penalty belongs to every batch. It is charged to those that contain the feature, and so much more of
  // it as they are rare: the same on average, and only features of the batch need to be looked at.
  const double penalty = l2_ * values_[feature] * share_of_data * penalty_factors_[feature];
  const double gradient = loss_gradient + penalty;
  squares_[feature] += static_cast<float>(gradient * gradient);
  constexpr double kSmallest = 1e-3;
  values_[feature] -=
      static_cast<float>(step_ * gradient / (std::sqrt(static_cast<double>(squares_[feature])) + kSmallest));
}

double AdagradWeights::penalty() const {
  return 0.5 * l2_ * std::inner_product(values_.begin(), values_.end(), values_.begin(), 0.0);
}

}  // namespace copse
