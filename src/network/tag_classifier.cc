#include "network/tag_classifier.h"

#include <algorithm>

#include "network/element_kernels.h"

namespace copse {

ConstMatrix TagClassifier::score(ConstMatrix roles, const TrainingWeights& weights) {
  const std::size_t values = blocks_.tags.weights.columns;
  scores_.resize(roles.rows * values);
  const Matrix scores(scores_.data(), roles.rows, values);
  weights.tags.weights.multiply(tag_roles(roles), scores);
  add_to_rows(weights.all().subspan(blocks_.tags.bias.offset, values), scores);
  return scores;
}

double TagClassifier::loss(ConstMatrix roles, const TrainingWeights& weights, std::span<const Gold> gold,
                           float weight, Matrix role_gradient, std::span<float> gradients) {
  const ConstMatrix scores = score(roles, weights);
  score_gradient_.assign(scores.rows * scores.columns, 0.0F);
  double loss = 0.0;
  for (const Gold& word : gold) {
    const std::size_t begin = word.row * scores.columns + word.column.begin;
    const std::span<float> gradient = std::span(score_gradient_).subspan(begin, word.column.size);
    std::copy_n(&scores_[begin], word.column.size, gradient.begin());
    loss += softmax_loss(gradient, word.value, weight);
  }
  const ConstMatrix score_gradient(score_gradient_.data(), scores.rows, scores.columns);
  weights.tags.weights.differentiate_weights(tag_roles(roles), score_gradient,
                                             blocks_.tags.weights.in(gradients));
  add_rows_to(score_gradient, gradients.subspan(blocks_.tags.bias.offset, scores.columns));
  weights.tags.weights.differentiate_rows(
      score_gradient,
      Matrix(role_gradient.data + columns_.tags.begin, roles.rows, columns_.tags.size, role_gradient.stride),
      Into::add);
  return loss;
}

}  // namespace copse
