#pragma once

#include "network/back_end.h"
#include "network/dropout.h"
#include "network/word_batch.h"

namespace copse {

// From the output of the encoder to words in their roles (RoleColumns): an affine map, a rectifier, dropout.
// Tags may see the input of the encoder, too: endings say much of them that need not go through all layers.
template <class BackEnd>
class RoleLayer {
 public:
  using Matrix = typename BackEnd::Matrix;
  using Activations = typename BackEnd::Activations;

  explicit RoleLayer(const NetworkShape& shape) : columns_(shape), has_tag_input_(shape.has_tag_input()) {}

  bool has_tag_input() const { return has_tag_input_; }

  // `words` is what the encoder read; valid until the next call.
  Matrix forward(BackEnd& on, const typename BackEnd::Sequences& sequences, std::size_t rows,
                 Activations& input, Activations& words, const WeightsOn<BackEnd>& weights,
                 const DropoutSite& site) {
    const Matrix roles = roles_.resize(rows, columns_.size);
    on.multiply(input, weights.roles, roles);
    if (has_tag_input_) {
      const Matrix tags = tag_rows_.resize(rows, columns_.tags.size);
      on.multiply(words, weights.tag_input, tags);
      on.add(tags, of_tags(roles));
    }
    on.leaky_relu(roles);
    if constexpr (BackEnd::kLearns) {
      dropout_.draw(on, site);
      dropout_.apply(on, sequences, roles);
    }
    return roles;
  }
  // Of the last forward(); changes the gradient. That by the words is set if tags see them.
  void backward(BackEnd& on, const typename BackEnd::Sequences& sequences, Activations& input,
                Activations& words, Matrix gradient, const WeightsOn<BackEnd>& weights,
                const GradientsOn<BackEnd>& gradients, Matrix input_gradient, Matrix word_gradient) {
    dropout_.apply(on, sequences, gradient);
    on.leaky_relu_backward(roles_.all(), gradient);
    on.multiply_backward(input, gradient, weights.roles, gradients.roles, input_gradient);
    if (has_tag_input_) {
      on.multiply_backward(words, of_tags(gradient), weights.tag_input, gradients.tag_input, word_gradient);
    }
  }

 private:
  Matrix of_tags(Matrix roles) const { return roles.in_columns(columns_.tags.begin, columns_.tags.size); }

  RoleColumns columns_;
  bool has_tag_input_;
  typename BackEnd::Values roles_;     // after all of it
  typename BackEnd::Values tag_rows_;  // what words add to the columns of tags
  Dropout<BackEnd> dropout_;
};

}  // namespace copse
