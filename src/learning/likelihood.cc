#include "learning/likelihood.h"

#include <algorithm>
#include <numeric>

namespace copse {

Likelihood::Likelihood(const FeatureLists& lists, std::span<const float> penalties, TreeSpace trees,
                       TaskPool& pool, double margin)
    : penalties_(penalties),
      pool_(&pool),
      order_(lists.size()),
      losses_(lists.size()),
      gradients_(pool.threads(), penalties.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return lists.features_of(a) > lists.features_of(b); });
  for (int worker = 0; worker < pool.threads(); ++worker) examples_.emplace_back(lists, trees, margin);
}

double Likelihood::evaluate(std::span<const float> weights, std::span<float> gradient) {
  const auto add_sentence = [&](std::size_t k, int worker) {
    Example& example = examples_[static_cast<std::size_t>(worker)];
    std::int64_t* sums = gradients_.of(worker);
    const std::size_t sentence = order_[k];
    example.assign(sentence);
    example.score(weights);
    losses_[sentence] = example.log_loss();
    example.for_each_coefficient(
        [&](std::uint32_t feature, std::int64_t coefficient) { sums[feature] += coefficient; });
  };
  try {
    pool_->for_each(order_.size(), add_sentence);
  } catch (...) {
    gradients_.clear();
    throw;
  }
  const double penalty = gradients_.finish(weights, penalties_, gradient, *pool_);
  const double loss = std::accumulate(losses_.begin(), losses_.end(), 0.0);
  return loss + penalty;
}

}  // namespace copse
