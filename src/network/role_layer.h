#pragma once

#include "network/back_end.h"
#include "network/dropout.h"
#include "network/word_batch.h"

namespace copse {

// From the output of the encoder to words in their roles (RoleColumns): an affine map, a rectifier, dropout.
template <class BackEnd>
class RoleLayer {
 public:
  using Matrix = typename BackEnd::Matrix;
  using Activations = typename BackEnd::Activations;

  explicit RoleLayer(const NetworkShape& shape) : columns_(RoleColumns(shape).size) {}

  // Valid until the next call.
  Matrix forward(BackEnd& on, const typename BackEnd::Sequences& sequences, std::size_t rows,
                 Activations& input, const WeightsOn<BackEnd>& weights, const DropoutSite& site) {
    const Matrix roles = roles_.resize(rows, columns_);
    on.multiply(input, weights.roles, roles);
    on.leaky_relu(roles);
    if constexpr (BackEnd::kLearns) {
      dropout_.draw(on, site);
      dropout_.apply(on, sequences, roles);
    }
    return roles;
  }
  // Of the last forward(); changes the gradient.
  void backward(BackEnd& on, const typename BackEnd::Sequences& sequences, Activations& input,
                Matrix gradient, const WeightsOn<BackEnd>& weights, const GradientsOn<BackEnd>& gradients,
                Matrix input_gradient) {
    dropout_.apply(on, sequences, gradient);
    on.leaky_relu_backward(roles_.all(), gradient);
    on.multiply_backward(input, gradient, weights.roles, gradients.roles, input_gradient);
  }

 private:
  std::size_t columns_;
  typename BackEnd::Values roles_;  // after all of it
  Dropout<BackEnd> dropout_;
};

}  // namespace copse
