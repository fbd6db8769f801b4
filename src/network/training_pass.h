#pragma once

#include <optional>
#include <span>
#include <vector>

#include "network/dropout.h"
#include "network/gradients.h"
#include "network/input_layer.h"
#include "network/lstm.h"
#include "network/parameters.h"
#include "network/sequences.h"
#include "network/training_weights.h"
#include "network/word_inputs.h"

namespace copse {

// From words to their roles and back, in training: in floats, with dropout, keeping what gradients need. A
// workspace for one thread.
class TrainingPass {
 public:
  // Borrows all of them; no vectors: null.
  TrainingPass(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors);

  // The roles of all words of a batch; valid until the next call. Without random numbers nothing is dropped.
  Matrix forward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                 float dropout, Random* random);
  // Adds the gradient by all weights, given that by the roles, which it changes. Of the last forward().
  void backward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                Matrix role_gradient, Gradients& gradients);

 private:
  struct Layer {
    Lstm lstm;
    std::vector<float> output;   // as it came out
    std::vector<float> dropped;  // after dropout, if there is any
    SharedDropout dropout;
  };

  const NetworkShape* shape_;
  const NetworkBlocks* blocks_;
  bool drops_ = false;
  InputLayer input_layer_;
  std::vector<float> input_;
  SharedDropout input_dropout_;
  std::vector<Layer> layers_;
  std::vector<float> roles_;  // after the rectifier and dropout
  SharedDropout role_dropout_;
  std::vector<float> gradient_;
  std::vector<float> next_gradient_;
};

}  // namespace copse
