#include "network/arc_biaffine.h"

#include "network/element_kernels.h"

namespace copse {

void ArcBiaffine::prepare(ConstMatrix roles, const TrainingWeights& weights) {
  roles_ = roles;
  const ConstMatrix all = blocks_.arcs.in(weights.all());
  products_.resize(roles.rows * all.columns);
  const Matrix products(products_.data(), roles.rows, all.columns);
  const Columns modifier = columns_.arc_modifier;
  weights.arcs.weights.multiply(
      ConstMatrix(roles.data + modifier.begin, roles.rows, modifier.size, roles.stride), products);
  add_to_rows({all.row(modifier.size), all.columns}, products);  // what heads score by themselves
}

void ArcBiaffine::score(RowRange sentence, Matrix scores) const {
  const std::size_t size = columns_.arc_head.size;
  multiply_transposed(ConstMatrix(&products_[sentence.begin * size], sentence.size, size), heads(sentence),
                      scores);
}

void ArcBiaffine::begin_backward() { product_gradient_.assign(products_.size(), 0.0F); }

void ArcBiaffine::backward(RowRange sentence, ConstMatrix score_gradient, Matrix role_gradient) {
  const std::size_t size = columns_.arc_head.size;
  multiply(score_gradient, heads(sentence),
           Matrix(&product_gradient_[sentence.begin * size], sentence.size, size));
  multiply_by_transposed(score_gradient, ConstMatrix(&products_[sentence.begin * size], sentence.size, size),
                         Matrix(role_gradient.row(sentence.begin) + columns_.arc_head.begin, sentence.size,
                                size, role_gradient.stride),
                         Into::add);
}

void ArcBiaffine::finish_backward(const TrainingWeights& weights, Matrix role_gradient,
                                  std::span<float> gradients) {
  const Columns modifier = columns_.arc_modifier;
  const Matrix all = blocks_.arcs.in(gradients);
  const ConstMatrix products(product_gradient_.data(), roles_.rows, all.columns);
  weights.arcs.weights.differentiate_rows(
      products, Matrix(role_gradient.data + modifier.begin, roles_.rows, modifier.size, role_gradient.stride),
      Into::add);
  weights.arcs.weights.differentiate_weights(
      ConstMatrix(roles_.data + modifier.begin, roles_.rows, modifier.size, roles_.stride), products,
      Matrix(all.data, modifier.size, all.columns));
  add_rows_to(products, {all.row(modifier.size), all.columns});
}

}  // namespace copse
