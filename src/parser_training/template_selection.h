#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parser_training/feature_index.h"
#include "parser_training/training_set.h"

namespace copse {

// The templates that do not pay for being looked up, by their identities: those with the least weight per
// look-up on a sample of the sentences, as long as all of them together have less than `share` of all weight.
// In a team, each process has its own sentences.
std::vector<std::uint64_t> idle_templates(std::span<const TrainingSentence> sentences,
                                          const FeatureExtractor& extractor, const FeatureIndex& index,
                                          std::span<const float> weights, double share,
                                          Team& team = Team::alone());

}  // namespace copse
