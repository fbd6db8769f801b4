#include "network/training_pass.h"

#include <algorithm>

#include "network/element_kernels.h"

namespace copse {
namespace {

Matrix sized(std::vector<float>& values, std::size_t rows, std::size_t columns) {
  values.resize(rows * columns);
  return {values.data(), rows, columns};
}

}  // namespace

TrainingPass::TrainingPass(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors)
    : shape_(&shape), blocks_(&blocks), input_layer_(shape, blocks, vectors), layers_(shape.layers) {}

Matrix TrainingPass::forward(const WordInputs& inputs, const Sequences& sequences,
                             const TrainingWeights& weights, float dropout, Random* random) {
  const std::size_t rows = inputs.rows();
  drops_ = random != nullptr;
  Matrix input = sized(input_, rows, shape_->input_size());
  input_layer_.forward(inputs, weights.all(), weights.characters(), dropout, random, input);
  if (drops_) {
    input_dropout_.draw(sequences.count(), input.columns, dropout, *random);
    input_dropout_.apply(sequences, input);
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Layer& layer = layers_[k];
    const Matrix output = sized(layer.output, rows, shape_->encoder_size());
    layer.lstm.forward(sequences, input, weights.layer(k), output);
    input = output;
    if (drops_) {
      layer.dropped = layer.output;
      input.data = layer.dropped.data();
      layer.dropout.draw(sequences.count(), input.columns, dropout, *random);
      layer.dropout.apply(sequences, input);
    }
  }
  const Matrix roles = sized(roles_, rows, blocks_->roles.columns);
  weights.roles().multiply(input, roles);
  add_to_rows(weights.all().subspan(blocks_->role_bias.offset, roles.columns), roles);
  leaky_relu(roles);
  if (drops_) {
    role_dropout_.draw(sequences.count(), roles.columns, dropout, *random);
    role_dropout_.apply(sequences, roles);
  }
  return roles;
}

void TrainingPass::backward(const WordInputs& inputs, const Sequences& sequences,
                            const TrainingWeights& weights, Matrix role_gradient, Gradients& gradients) {
  const std::size_t rows = inputs.rows();
  // Dropout leaves signs as they are, so the rectifier's slope can be told afterwards. What was dropped has
  // no gradient anyway.
  if (drops_) role_dropout_.apply(sequences, role_gradient);
  leaky_relu_backward(ConstMatrix(roles_.data(), rows, blocks_->roles.columns), role_gradient);
  const auto output_of = [&](const Layer& layer) {
    return ConstMatrix((drops_ ? layer.dropped : layer.output).data(), rows, shape_->encoder_size());
  };
  const ConstMatrix top = output_of(layers_.back());
  weights.roles().differentiate_weights(top, role_gradient, blocks_->roles.in(gradients.dense()));
  add_rows_to(role_gradient, gradients.dense().subspan(blocks_->role_bias.offset, role_gradient.columns));
  Matrix gradient = sized(gradient_, rows, top.columns);
  weights.roles().differentiate_rows(role_gradient, gradient);
  for (std::size_t k = layers_.size(); k-- > 0;) {
    Layer& layer = layers_[k];
    if (drops_) layer.dropout.apply(sequences, gradient);
    const ConstMatrix input =
        k > 0 ? output_of(layers_[k - 1]) : ConstMatrix(input_.data(), rows, shape_->input_size());
    const Matrix input_gradient = sized(next_gradient_, rows, input.columns);
    layer.lstm.backward(sequences, input, ConstMatrix(layer.output.data(), rows, shape_->encoder_size()),
                        gradient, weights.layer(k), LstmGradients(blocks_->layers[k], gradients.dense()),
                        input_gradient);
    std::swap(gradient_, next_gradient_);
    gradient = input_gradient;
  }
  if (drops_) input_dropout_.apply(sequences, gradient);
  input_layer_.backward(inputs, weights.all(), weights.characters(), gradient, gradients);
}

}  // namespace copse
