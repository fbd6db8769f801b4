#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/sequences.h"
#include "network/word_inputs.h"

namespace copse {

// The different words of a batch by their characters: words that are spelt alike are computed once. A
// workspace.
class DistinctSpellings {
 public:
  void assign(const WordInputs& inputs);

  // A sequence of characters for each of them.
  const Sequences& sequences() const { return sequences_; }
  std::span<const std::uint32_t> characters() const { return characters_; }
  // Of a row of the inputs.
  std::size_t sequence(std::size_t row) const { return numbers_[row]; }

 private:
  Sequences sequences_;
  std::vector<std::uint32_t> characters_;
  std::vector<std::size_t> numbers_;
  std::vector<std::size_t> order_;
};

}  // namespace copse
