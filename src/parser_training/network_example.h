#pragma once

#include <cstdint>
#include <vector>

#include "network/network_description.h"
#include "parser_training/training_set.h"

namespace copse {

// A sentence to learn from, in numbers.
struct NetworkExample {
  const TrainingSentence* sentence = nullptr;
  std::vector<std::int32_t> labels;  // by word; below 0: not known
  // By column of NetworkDescription::tags and word; below 0: not known.
  std::vector<std::vector<std::int32_t>> tags;
};
NetworkExample make_network_example(const TrainingSentence& sentence, const NetworkDescription& network);

}  // namespace copse
