#include "learning/likelihood.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "learning/fixed_point.h"

namespace copse {

Likelihood::Likelihood(const FeatureLists& lists, std::span<const float> penalties, TreeSpace trees,
                       TaskPool& pool, double margin)
    : penalties_(penalties), pool_(&pool), order_(lists.size()), losses_(lists.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return lists.features_of(a) > lists.features_of(b); });
  for (int worker = 0; worker < pool.threads(); ++worker) examples_.emplace_back(lists, trees, margin);
  gradients_.resize(static_cast<std::size_t>(pool.threads()), LargeVector<std::int64_t>(penalties.size()));
}

double Likelihood::evaluate(std::span<const float> weights, std::span<float> gradient) {
  const auto add_sentence = [&](std::size_t k, int worker) {
    Example& example = examples_[static_cast<std::size_t>(worker)];
    std::int64_t* sums = gradients_[static_cast<std::size_t>(worker)].data();
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
    for (LargeVector<std::int64_t>& sums : gradients_) std::fill(sums.begin(), sums.end(), 0);
    throw;
  }
  constexpr std::size_t kChunk = 1 << 15;
  const std::size_t features = penalties_.size();
  const std::size_t chunks = (features + kChunk - 1) / kChunk;
  std::vector<double> squares(chunks);
  pool_->for_each(chunks, [&](std::size_t chunk, int) {
    double square = 0.0;
    for (std::size_t k = chunk * kChunk; k < std::min(features, (chunk + 1) * kChunk); ++k) {
      std::int64_t sum = 0;
      for (LargeVector<std::int64_t>& worker : gradients_) sum += std::exchange(worker[k], 0);
      const double weight = weights[k];
      gradient[k] = static_cast<float>(from_fixed_point(sum) + penalties_[k] * weight);
      square += penalties_[k] * weight * weight;
    }
    squares[chunk] = square;
  });
  const double loss = std::accumulate(losses_.begin(), losses_.end(), 0.0);
  return loss + 0.5 * std::accumulate(squares.begin(), squares.end(), 0.0);
}

}  // namespace copse
