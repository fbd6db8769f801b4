#pragma once

#include <span>

#include "model/linear_model.h"
#include "parser_training/feature_index.h"

namespace copse {

// A model with the weights that a learner has found.
inline LinearModel make_model(FeatureExtractor extractor, const FeatureIndex& index,
                              std::span<const float> weights) {
  return {std::move(extractor), round_weights(index.hashes, weights, WeightPrecision())};
}

}  // namespace copse
