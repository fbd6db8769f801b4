#pragma once

#include <algorithm>
#include <vector>

#include "network/input_layer.h"
#include "network/lstm_layer.h"
#include "network/role_layer.h"

namespace copse {

// From words to the output of the last layer, and back. A workspace.
template <class BackEnd>
class Encoder {
 public:
  using Matrix = typename BackEnd::Matrix;
  using Activations = typename BackEnd::Activations;

  // Borrows all of them; no vectors: null.
  Encoder(const NetworkShape& shape, const WordVectors* vectors, BackEnd& on)
      : shape_(&shape),
        on_(&on),
        input_layer_(shape, vectors, on),
        // Without a way back, the output of a layer is needed until that of the next one is there.
        layers_(BackEnd::kLearns ? shape.layers : std::min<std::size_t>(shape.layers, 2)) {}

  // The output for all words, after dropout; valid until the next call.
  Activations& forward(const WordInputs& inputs, const Sequences& sequences,
                       const WeightsOn<BackEnd>& weights, const DropoutPlan& plan) {
    read(inputs, sequences, weights, plan);
    return encode(weights, plan);
  }
  // The two stages of forward(), one after the other.
  void read(const WordInputs& inputs, const Sequences& sequences, const WeightsOn<BackEnd>& weights,
            const DropoutPlan& plan) {
    batch_.assign(*on_, *shape_, inputs, sequences);
    input_layer_.forward(*on_, batch_, weights, plan, input_);
  }
  Activations& encode(const WeightsOn<BackEnd>& weights, const DropoutPlan& plan) {
    for (std::size_t k = 0; k < shape_->layers; ++k) {
      layer(k).forward(*on_, batch_.sequences, input_of(k), weights.layers[k], plan.layer(k));
    }
    return output();
  }
  Activations& output() { return input_of(shape_->layers); }
  // What the first layer reads.
  Activations& input() { return input_; }
  const WordBatch<BackEnd>& batch() const { return batch_; }

  // Adds the gradient by the weights, given that by the output, which it changes, and, if there is one, the
  // gradient that reaches the input without passing through the layers. Of the last forward(), whose
  // arguments must still be there.
  void backward(const WeightsOn<BackEnd>& weights, Matrix output_gradient,
                const GradientsOn<BackEnd>& gradients, const Matrix* more_input_gradient = nullptr) {
    Matrix gradient = output_gradient;
    for (std::size_t k = shape_->layers; k-- > 0;) {
      const std::size_t width = k > 0 ? shape_->encoder_size() : shape_->input_size();
      const Matrix input_gradient = gradients_[k % 2].resize(batch_.rows, width);
      layer(k).backward(*on_, batch_.sequences, input_of(k), gradient, weights.layers[k], gradients.layers[k],
                        input_gradient);
      gradient = input_gradient;
    }
    if (more_input_gradient != nullptr) on_->add(*more_input_gradient, gradient);
    input_layer_.backward(*on_, batch_, input_.all(), gradient, weights, gradients);
  }

 private:
  LstmLayer<BackEnd>& layer(std::size_t number) { return layers_[number % layers_.size()]; }
  Activations& input_of(std::size_t layer_number) {
    return layer_number == 0 ? input_ : layer(layer_number - 1).output();
  }

  const NetworkShape* shape_;
  BackEnd* on_;
  WordBatch<BackEnd> batch_;
  InputLayer<BackEnd> input_layer_;
  Activations input_;
  std::vector<LstmLayer<BackEnd>> layers_;
  typename BackEnd::Values gradients_[2];
};

// From words to their roles, and back. A workspace.
template <class BackEnd>
class RoleEncoder {
 public:
  using Matrix = typename BackEnd::Matrix;

  RoleEncoder(const NetworkShape& shape, const WordVectors* vectors, BackEnd& on)
      : shape_(&shape), on_(&on), encoder_(shape, vectors, on), role_layer_(shape) {}

  // Valid until the next call.
  Matrix forward(const WordInputs& inputs, const Sequences& sequences, const WeightsOn<BackEnd>& weights,
                 const DropoutPlan& plan) {
    encoder_.forward(inputs, sequences, weights, plan);
    return roles(weights, plan);
  }
  // What comes after the encoder, whose stages may be run one by one.
  Encoder<BackEnd>& encoder() { return encoder_; }
  Matrix roles(const WeightsOn<BackEnd>& weights, const DropoutPlan& plan) {
    return role_layer_.forward(*on_, encoder_.batch().sequences, encoder_.batch().rows, encoder_.output(),
                               encoder_.input(), weights, plan.roles());
  }
  // Adds the gradient by all weights, given that by the roles, which it changes. Of the last forward(), whose
  // arguments must still be there.
  void backward(const WeightsOn<BackEnd>& weights, Matrix role_gradient,
                const GradientsOn<BackEnd>& gradients) {
    const Matrix gradient = output_gradient_.resize(encoder_.batch().rows, shape_->encoder_size());
    const bool has_more = role_layer_.has_tag_input();
    Matrix of_words = {};
    if (has_more) of_words = word_gradient_.resize(encoder_.batch().rows, shape_->input_size());
    role_layer_.backward(*on_, encoder_.batch().sequences, encoder_.output(), encoder_.input(), role_gradient,
                         weights, gradients, gradient, of_words);
    encoder_.backward(weights, gradient, gradients, has_more ? &of_words : nullptr);
  }

 private:
  const NetworkShape* shape_;
  BackEnd* on_;
  Encoder<BackEnd> encoder_;
  RoleLayer<BackEnd> role_layer_;
  typename BackEnd::Values output_gradient_, word_gradient_;
};

}  // namespace copse
