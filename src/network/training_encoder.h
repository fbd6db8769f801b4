#pragma once

#include "network/encoder.h"
#include "network/float_back_end.h"

namespace copse {

// From words to the output of the last layer and back, in training on processors. A workspace for one thread.
class TrainingEncoder {
 public:
  // Borrows all of them; no vectors: null.
  TrainingEncoder(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors)
      : blocks_(&blocks), encoder_(shape, vectors, back_end_) {}
  TrainingEncoder(const TrainingEncoder&) = delete;
  TrainingEncoder& operator=(const TrainingEncoder&) = delete;

  // The output for all words of a batch, after dropout; valid until the next call.
  ConstMatrix forward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                      const DropoutPlan& plan);
  // Adds the gradient by the weights, given that by the output, which it changes. Of the last forward(),
  // whose inputs and sequences must still be there.
  void backward(const TrainingWeights& weights, Matrix output_gradient, Gradients& gradients);

 private:
  const NetworkBlocks* blocks_;
  FloatBackEnd back_end_;
  Encoder<FloatBackEnd> encoder_;
};

}  // namespace copse
