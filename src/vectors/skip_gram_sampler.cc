#include "vectors/skip_gram_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace copse {
namespace {

std::vector<double> square_roots(std::span<const std::uint64_t> counts) {
  std::vector<double> roots;
  roots.reserve(counts.size());
  for (const std::uint64_t count : counts) roots.push_back(std::sqrt(static_cast<double>(count)));
  return roots;
}

}  // namespace

WeightedChoice::WeightedChoice(std::span<const double> weights) : columns_(weights.size()) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  constexpr double kWhole = 0x1p32;
  std::vector<double> rest(weights.begin(), weights.end());
  for (double& weight : rest) weight /= mean;
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t k = 0; k < rest.size(); ++k) {
    (rest[k] < 1.0 ? small : large).push_back(k);
    columns_[k] = {0xFFFFFFFF, k};
  }
  // Each small one gets its column filled by a large one.
  while (!small.empty() && !large.empty()) {
    const std::uint32_t k = small.back();
    const std::uint32_t filler = large.back();
    small.pop_back();
    columns_[k] = {static_cast<std::uint32_t>(std::min(rest[k] * kWhole, kWhole - 1)), filler};
    rest[filler] -= 1.0 - rest[k];
    if (rest[filler] < 1.0) {
      large.pop_back();
      small.push_back(filler);
    }
  }
}

void SkipGramBatch::add(std::span<const std::uint32_t> sentence) {
  const auto begin = static_cast<std::uint32_t>(positions.size());
  const auto end = static_cast<std::uint32_t>(begin + sentence.size());
  for (const std::uint32_t word : sentence) positions.push_back({word, begin, end});
}

SkipGramSampler::SkipGramSampler(std::span<const std::uint64_t> counts, int window, int negative)
    : choice_(square_roots(counts)), window_(window), negative_(negative), shared_(2 * negative) {}

void SkipGramSampler::sample(const SkipGramBatch& batch, std::size_t position, RandomNumbers& random,
                             SkipGramSample& sample) const {
  const SkipGramBatch::Position& here = batch.positions[position];
  const std::uint32_t reach = 1 + random.below(static_cast<std::uint32_t>(window_));
  const auto centre = static_cast<std::uint32_t>(position);
  const std::uint32_t first = centre - std::min(reach, centre - here.sentence);
  const std::uint32_t last = std::min(centre + reach + 1, here.end);
  sample.words.clear();
  for (std::uint32_t other = first; other < last; ++other) {
    if (other != centre) sample.words.push_back(batch.positions[other].word);
  }
  sample.contexts = sample.words.size();
  if (sample.contexts == 0) return;
  sample.negative_weight =
      static_cast<float>(sample.contexts) * static_cast<float>(negative_) / static_cast<float>(shared_);
  for (int k = 0; k < shared_; ++k) {
    // A word is not to be predicted and excluded at once. With few words there may be no other.
    const std::uint32_t word = choice_.draw(random);
    const auto contexts_end = sample.words.begin() + static_cast<std::ptrdiff_t>(sample.contexts);
    if (std::find(sample.words.begin(), contexts_end, word) == contexts_end) sample.words.push_back(word);
  }
}

}  // namespace copse
