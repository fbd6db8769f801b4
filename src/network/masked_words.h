#pragma once

#include <cstdint>
#include <vector>

#include "network/sequences.h"
#include "network/word_inputs.h"

namespace copse {

// Sentences of plain text, some of whose words are hidden: they are to be guessed from the others. What a
// machine needs to compute the loss, with everything random decided.
struct MaskedBatch {
  WordInputs inputs;  // of all words, the root's rows included
  Sequences sequences;
  std::vector<float> kept;                 // by row: 0 for hidden words, whose input is all zeros; else 1
  std::vector<std::uint32_t> hidden_rows;  // ascending
  std::vector<std::uint32_t> gold;         // of these: the number of the word, see WordInputs::words
};

}  // namespace copse
