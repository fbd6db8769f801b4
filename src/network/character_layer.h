#pragma once

#include <vector>

#include "network/distinct_spellings.h"
#include "network/gradients.h"
#include "network/lstm.h"
#include "network/parameters.h"

namespace copse {

// From the characters of words to their spelling, in training: the last states of an LSTM in both directions,
// side by side. A workspace.
class CharacterLayer {
 public:
  // Borrows the blocks.
  explicit CharacterLayer(const NetworkBlocks& blocks) : blocks_(&blocks) {}

  // spellings: one for each row of the inputs.
  void forward(const WordInputs& inputs, std::span<const float> weights, const LstmWeights& lstm_weights,
               Matrix spellings);
  // Adds to gradients. Of the last forward().
  void backward(const LstmWeights& lstm_weights, ConstMatrix spelling_gradient, Gradients& gradients);

 private:
  const NetworkBlocks* blocks_;
  DistinctSpellings spellings_;
  Lstm lstm_;
  std::vector<float> characters_;  // [character][character_size]
  std::vector<float> output_;      // [character][spelling_size]
  std::vector<float> character_gradient_;
  std::vector<float> output_gradient_;
};

}  // namespace copse
