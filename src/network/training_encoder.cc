#include "network/training_encoder.h"

#include <utility>

namespace copse {
namespace {

Matrix sized(std::vector<float>& values, std::size_t rows, std::size_t columns) {
  values.resize(rows * columns);
  return {values.data(), rows, columns};
}

}  // namespace

TrainingEncoder::TrainingEncoder(const NetworkShape& shape, const NetworkBlocks& blocks,
                                 const WordVectors* vectors)
    : shape_(&shape), blocks_(&blocks), input_layer_(shape, blocks, vectors), layers_(shape.layers) {}

ConstMatrix TrainingEncoder::forward(const WordInputs& inputs, const Sequences& sequences,
                                     const TrainingWeights& weights, const EncoderDropout& dropout) {
  rows_ = inputs.rows();
  Random* const random = dropout.random;
  drops_ = random != nullptr;
  drops_input_ = drops_ && dropout.word_factors.empty();
  Matrix input = sized(input_, rows_, shape_->input_size());
  input_layer_.forward(inputs, weights.all(), weights.characters, input);
  if (!dropout.word_factors.empty()) input_layer_.scale_words(dropout.word_factors, input);
  if (random != nullptr && drops_input_) {
    input_layer_.leave_out_groups(dropout.rate, *random, input);
    input_dropout_.draw(sequences.count(), input.columns, dropout.rate, *random);
    input_dropout_.apply(sequences, input);
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Layer& layer = layers_[k];
    const Matrix output = sized(layer.output, rows_, shape_->encoder_size());
    layer.lstm.forward(sequences, input, weights.layers[k], output);
    input = output;
    if (random != nullptr) {
      layer.dropped = layer.output;
      input.data = layer.dropped.data();
      layer.dropout.draw(sequences.count(), input.columns, dropout.rate, *random);
      layer.dropout.apply(sequences, input);
    }
  }
  return input;
}

void TrainingEncoder::backward(const WordInputs& inputs, const Sequences& sequences,
                               const TrainingWeights& weights, std::vector<float>& output_gradient,
                               Gradients& gradients) {
  Matrix gradient(output_gradient.data(), rows_, shape_->encoder_size());
  for (std::size_t k = layers_.size(); k-- > 0;) {
    Layer& layer = layers_[k];
    if (drops_) layer.dropout.apply(sequences, gradient);
    const ConstMatrix input =
        k > 0 ? output_of(layers_[k - 1]) : ConstMatrix(input_.data(), rows_, shape_->input_size());
    const Matrix input_gradient = sized(next_gradient_, rows_, input.columns);
    layer.lstm.backward(sequences, input, ConstMatrix(layer.output.data(), rows_, shape_->encoder_size()),
                        gradient, weights.layers[k], LstmGradients(blocks_->layers[k], gradients.dense()),
                        input_gradient);
    std::swap(output_gradient, next_gradient_);
    gradient = input_gradient;
  }
  if (drops_input_) input_dropout_.apply(sequences, gradient);
  input_layer_.backward(inputs, weights.all(), weights.characters, gradient, gradients);
}

}  // namespace copse
