#include "network/training_encoder.h"

namespace copse {

ConstMatrix TrainingEncoder::forward(const WordInputs& inputs, const Sequences& sequences,
                                     const TrainingWeights& weights, const DropoutPlan& plan) {
  return encoder_.forward(inputs, sequences, weights, plan).all();
}

void TrainingEncoder::backward(const TrainingWeights& weights, Matrix output_gradient, Gradients& gradients) {
  encoder_.backward(weights, output_gradient, gradients.by_weight(*blocks_));
}

}  // namespace copse
