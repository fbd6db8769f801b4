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
  // By row of the inputs: the number of its spelling.
  std::span<const std::uint32_t> of_rows() const { return numbers_; }
  // The way back: the rows of each spelling, ascending, lie side by side from row_begins()[spelling] on.
  std::span<const std::uint32_t> row_begins() const { return row_begins_; }
  std::span<const std::uint32_t> rows() const { return rows_; }

 private:
  Sequences sequences_;
  std::vector<std::uint32_t> characters_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> row_begins_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace copse
