#pragma once

#include <bit>
#include <span>
#include <vector>

#include "learning/feature_index.h"

namespace copse {

// The weights that are not zero, to be looked up by feature.
inline FeatureTable weights_table(const FeatureIndex& index, std::span<const float> weights) {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> values;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0.0F) continue;
    hashes.push_back(index.hashes[k]);
    values.push_back(std::bit_cast<std::uint32_t>(weights[k]));
  }
  return {hashes, values};
}

}  // namespace copse
