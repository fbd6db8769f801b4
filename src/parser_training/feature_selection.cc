#include "parser_training/feature_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace copse {
namespace {

// A frequent feature has more to say about new sentences than a rare one with the same weight. The exponent
// was chosen on development data, where 0 and 1 are both worse.
float importance(float weight, std::uint32_t count) {
  constexpr float kExponent = 0.25F;
  return std::abs(weight) * std::pow(static_cast<float>(count) - 0.5F, kExponent);
}

}  // namespace

SelectedFeatures select_features(const FeatureIndex& index, std::span<const float> weights,
                                 std::size_t most_features) {
  std::vector<float> importances(index.size());
  for (std::size_t k = 0; k < index.size(); ++k) importances[k] = importance(weights[k], index.counts[k]);
  const std::size_t kept = std::min(most_features, index.size());
  std::vector<std::uint32_t> order(index.size());
  std::iota(order.begin(), order.end(), 0U);
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return importances[a] != importances[b] ? importances[a] > importances[b] : a < b;
                   });
  order.resize(kept);
  std::sort(order.begin(), order.end());
  SelectedFeatures selected;
  selected.numbers.assign(index.size(), FeatureTable::kAbsent);
  for (const std::uint32_t old : order) {
    selected.numbers[old] = static_cast<std::uint32_t>(selected.weights.size());
    selected.index.hashes.push_back(index.hashes[old]);
    selected.index.counts.push_back(index.counts[old]);
    selected.weights.push_back(weights[old]);
  }
  selected.index.number_features();
  return selected;
}

}  // namespace copse
