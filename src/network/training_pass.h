#pragma once

#include <vector>

#include "network/training_encoder.h"

namespace copse {

// From words to their roles and back, in training: in floats, with dropout, keeping what gradients need. A
// workspace for one thread.
class TrainingPass {
 public:
  // Borrows all of them; no vectors: null.
  TrainingPass(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors)
      : blocks_(&blocks), encoder_(shape, blocks, vectors) {}

  // The roles of all words of a batch; valid until the next call. Without random numbers nothing is dropped.
  Matrix forward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                 float dropout, Random* random);
  // Adds the gradient by all weights, given that by the roles, which it changes. Of the last forward().
  void backward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                Matrix role_gradient, Gradients& gradients);

 private:
  const NetworkBlocks* blocks_;
  bool drops_ = false;
  TrainingEncoder encoder_;
  std::vector<float> roles_;  // after the rectifier and dropout
  SharedDropout role_dropout_;
  std::vector<float> gradient_;  // of the encoder's output
};

}  // namespace copse
