#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parser_training/feature_index.h"

namespace copse {

struct SelectedFeatures {
  FeatureIndex index;
  std::vector<std::uint32_t> numbers;  // by old number: the new one, or kAbsent
  std::vector<float> weights;          // by new number
};

// The features that matter most, by what is known early in a training run: how large a weight has become, and
// how often the feature occurs. They keep their order.
SelectedFeatures select_features(const FeatureIndex& index, std::span<const float> weights,
                                 std::size_t most_features);

}  // namespace copse
