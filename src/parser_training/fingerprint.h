#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "features/hashing.h"
#include "parallel/team.h"
#include "parser_training/training_set.h"

namespace copse {

// A hash of all that the sentences of a team say, by which checkpoints of other data are recognised: the same
// for every number of processes. `start` is a hash of whatever else decides the course of a run.
inline std::uint64_t fingerprint(std::span<const TrainingSentence> sentences, std::uint64_t start,
                                 Team& team = Team::alone()) {
  std::uint64_t sum = 0;
  for (const TrainingSentence& example : sentences) {
    std::uint64_t hash = mix(example.number + 1);
    hash = mix(hash + static_cast<std::uint64_t>(example.sentence.size()));
    for (int word = 1; word <= example.sentence.size(); ++word) {
      const Token& token = example.sentence[word];
      hash = mix(hash + hash_text(token.columns()) +
                 static_cast<std::uint64_t>(example.heads[static_cast<std::size_t>(word)]));
    }
    sum += hash;
  }
  // Halves do not overflow.
  std::array<std::int64_t, 3> sums = {static_cast<std::int64_t>(sentences.size()),
                                      static_cast<std::int64_t>(sum >> 32),
                                      static_cast<std::int64_t>(sum & UINT32_MAX)};
  team.add_up(sums);
  const std::uint64_t all = (static_cast<std::uint64_t>(sums[1]) << 32) + static_cast<std::uint64_t>(sums[2]);
  return mix(mix(start + static_cast<std::uint64_t>(sums[0])) + all);
}

// The folder of a run with a network, within that of checkpoints.
inline constexpr std::string_view kNetworkRun = "network";

}  // namespace copse
