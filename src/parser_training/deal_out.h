#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "network/random.h"

namespace copse {

// Numbers of examples.
using ExampleBatch = std::vector<std::size_t>;

// Examples of so many words each, in batches of at most `most_words` (or one example), each of about the same
// length. Chance decides which of them come together, and the order of the batches.
std::vector<ExampleBatch> deal_out(std::span<const std::size_t> words, std::size_t most_words,
                                   Random& random);

}  // namespace copse
