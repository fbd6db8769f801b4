#pragma once

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

// What is left out of an encoder's numbers in training.
struct EncoderDropout {
  float rate = 0.0F;         // of columns, the same ones for all words of a sentence
  Random* random = nullptr;  // without: nothing is dropped
  // By row: factors for the inputs of words. If there are any, nothing is dropped at the input; else groups
  // of a word's columns are left out as well, see InputLayer.
  std::span<const float> word_factors;
};

// From words to the output of the last layer and back, in training: in floats, keeping what gradients need. A
// workspace for one thread.
class TrainingEncoder {
 public:
  // Borrows all of them; no vectors: null.
  TrainingEncoder(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors);

  // The output for all words of a batch, after dropout; valid until the next call.
  ConstMatrix forward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                      const EncoderDropout& dropout);
  // The same, as the last forward() gave it.
  ConstMatrix output() const { return output_of(layers_.back()); }
  // Adds the gradient by the weights, given that by the output, which it takes as working space. Of the last
  // forward().
  void backward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                std::vector<float>& output_gradient, Gradients& gradients);

 private:
  struct Layer {
    Lstm lstm;
    std::vector<float> output;   // as it came out
    std::vector<float> dropped;  // after dropout, if there is any
    SharedDropout dropout;
  };
  ConstMatrix output_of(const Layer& layer) const {
    return {(drops_ ? layer.dropped : layer.output).data(), rows_, shape_->encoder_size()};
  }

  const NetworkShape* shape_;
  const NetworkBlocks* blocks_;
  std::size_t rows_ = 0;
  bool drops_ = false;
  bool drops_input_ = false;
  InputLayer input_layer_;
  std::vector<float> input_;
  SharedDropout input_dropout_;
  std::vector<Layer> layers_;
  std::vector<float> next_gradient_;
};

}  // namespace copse
