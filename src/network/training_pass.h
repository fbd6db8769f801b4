#pragma once

#include "network/encoder.h"
#include "network/float_back_end.h"

namespace copse {

// From words to their roles and back, in training on processors. A workspace for one thread.
class TrainingPass {
 public:
  // Borrows all of them; no vectors: null.
  TrainingPass(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors)
      : blocks_(&blocks), encoder_(shape, vectors, back_end_) {}
  TrainingPass(const TrainingPass&) = delete;
  TrainingPass& operator=(const TrainingPass&) = delete;

  // The roles of all words of a batch; valid until the next call.
  Matrix forward(const WordInputs& inputs, const Sequences& sequences, const TrainingWeights& weights,
                 const DropoutPlan& plan);
  // Adds the gradient by all weights, given that by the roles, which it changes. Of the last forward(), whose
  // inputs and sequences must still be there.
  void backward(const TrainingWeights& weights, Matrix role_gradient, Gradients& gradients);

 private:
  const NetworkBlocks* blocks_;
  FloatBackEnd back_end_;
  RoleEncoder<FloatBackEnd> encoder_;
};

}  // namespace copse
