#include "network/training_pass.h"

#include "network/element_kernels.h"

namespace copse {

Matrix TrainingPass::forward(const WordInputs& inputs, const Sequences& sequences,
                             const TrainingWeights& weights, float dropout, Random* random) {
  drops_ = random != nullptr;
  const ConstMatrix output = encoder_.forward(inputs, sequences, weights, {dropout, random, {}});
  roles_.resize(output.rows * blocks_->roles.weights.columns);
  const Matrix roles(roles_.data(), output.rows, blocks_->roles.weights.columns);
  weights.roles.weights.multiply(output, roles);
  add_to_rows(weights.all().subspan(blocks_->roles.bias.offset, roles.columns), roles);
  leaky_relu(roles);
  if (random != nullptr) {
    role_dropout_.draw(sequences.count(), roles.columns, dropout, *random);
    role_dropout_.apply(sequences, roles);
  }
  return roles;
}

void TrainingPass::backward(const WordInputs& inputs, const Sequences& sequences,
                            const TrainingWeights& weights, Matrix role_gradient, Gradients& gradients) {
  // Dropout leaves signs as they are, so the rectifier's slope can be told afterwards. What was dropped has
  // no gradient anyway.
  if (drops_) role_dropout_.apply(sequences, role_gradient);
  leaky_relu_backward(ConstMatrix(roles_.data(), inputs.rows(), blocks_->roles.weights.columns),
                      role_gradient);
  const ConstMatrix output = encoder_.output();
  weights.roles.weights.differentiate_weights(output, role_gradient,
                                              blocks_->roles.weights.in(gradients.dense()));
  add_rows_to(role_gradient, gradients.dense().subspan(blocks_->roles.bias.offset, role_gradient.columns));
  gradient_.resize(output.rows * output.columns);
  weights.roles.weights.differentiate_rows(role_gradient,
                                           Matrix(gradient_.data(), output.rows, output.columns));
  encoder_.backward(inputs, sequences, weights, gradient_, gradients);
}

}  // namespace copse
