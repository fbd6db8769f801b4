#pragma once

#include <cstdint>
#include <span>

#include "features/hashing.h"
#include "learning/training_set.h"

namespace copse {

// A hash of all that sentences say, by which checkpoints of other data are recognised. `start` is a hash of
// whatever else decides the course of a run.
inline std::uint64_t fingerprint(std::span<const TrainingSentence> sentences, std::uint64_t start) {
  std::uint64_t hash = mix(start + sentences.size());
  for (const TrainingSentence& example : sentences) {
    hash = mix(hash + static_cast<std::uint64_t>(example.sentence.size()));
    for (int word = 1; word <= example.sentence.size(); ++word) {
      const Token& token = example.sentence[word];
      hash = mix(hash + hash_text(token.columns()) +
                 static_cast<std::uint64_t>(example.heads[static_cast<std::size_t>(word)]));
    }
  }
  return hash;
}

// The folder of a run with a network, within that of checkpoints.
inline constexpr std::string_view kNetworkRun = "network";

}  // namespace copse
