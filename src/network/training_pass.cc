#include "network/training_pass.h"

namespace copse {

Matrix TrainingPass::forward(const WordInputs& inputs, const Sequences& sequences,
                             const TrainingWeights& weights, const DropoutPlan& plan) {
  return encoder_.forward(inputs, sequences, weights, plan);
}

void TrainingPass::backward(const TrainingWeights& weights, Matrix role_gradient, Gradients& gradients) {
  encoder_.backward(weights, role_gradient, gradients.by_weight(*blocks_));
}

}  // namespace copse
