#include "network/label_biaffine.h"

#include <algorithm>

#include "network/element_kernels.h"

namespace copse {

void score_labels(const float* products, const float* head, std::size_t size, std::span<float> scores) {
  const ConstMatrix labels(products, scores.size(), size, size + 1);
  multiply(labels, ConstMatrix(head, size, 1), Matrix(scores.data(), scores.size(), 1));
  for (std::size_t label = 0; label < scores.size(); ++label) scores[label] += labels.row(label)[size];
}

LabelBiaffine::LabelBiaffine(const NetworkShape& shape)
    : columns_(shape), blocks_(shape), labels_(shape.labels), size_(shape.label_size) {}

std::size_t LabelBiaffine::arcs_at_a_time() const {
  constexpr std::size_t kNumbers = 400'000;
  return std::clamp<std::size_t>(kNumbers / std::max<std::size_t>(blocks_.labels.columns, 1), 8, 128);
}

void LabelBiaffine::multiply_modifiers(ConstMatrix roles, const TrainingWeights& weights,
                                       std::span<const RowArc> arcs) {
  modifiers_.resize(arcs.size() * size_);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    std::copy_n(roles.row(arcs[k].modifier) + columns_.label_modifier.begin, size_, &modifiers_[k * size_]);
  }
  const ConstMatrix all = blocks_.labels.in(weights.all());
  products_.resize(arcs.size() * all.columns);
  const Matrix products(products_.data(), arcs.size(), all.columns);
  weights.labels.weights.multiply(ConstMatrix(modifiers_.data(), arcs.size(), size_), products);
  add_to_rows({all.row(size_), all.columns}, products);
}

void LabelBiaffine::score_products(ConstMatrix roles, std::span<const RowArc> arcs, Matrix scores) const {
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    score_labels(&products_[k * blocks_.labels.columns], roles.row(arcs[k].head) + columns_.label_head.begin,
                 size_, {scores.row(k), labels_});
  }
}

void LabelBiaffine::score(ConstMatrix roles, const TrainingWeights& weights, std::span<const RowArc> arcs,
                          Matrix scores) {
  const std::size_t step = arcs_at_a_time();
  for (std::size_t begin = 0; begin < arcs.size(); begin += step) {
    const std::span<const RowArc> some = arcs.subspan(begin, std::min(step, arcs.size() - begin));
    multiply_modifiers(roles, weights, some);
    score_products(roles, some, Matrix(scores.row(begin), some.size(), labels_, scores.stride));
  }
}

double LabelBiaffine::loss(ConstMatrix roles, const TrainingWeights& weights, std::span<const RowArc> arcs,
                           std::span<const std::uint32_t> gold, float weight, Matrix role_gradient,
                           std::span<float> gradients) {
  const Matrix all = blocks_.labels.in(gradients);
  const std::size_t step = arcs_at_a_time();
  double loss = 0.0;
  for (std::size_t begin = 0; begin < arcs.size(); begin += step) {
    const std::span<const RowArc> some = arcs.subspan(begin, std::min(step, arcs.size() - begin));
    multiply_modifiers(roles, weights, some);
    scores_.resize(some.size() * labels_);
    score_products(roles, some, Matrix(scores_.data(), some.size(), labels_));
    for (std::size_t k = 0; k < some.size(); ++k) {
      const std::span<float> scores = std::span(scores_).subspan(k * labels_, labels_);
      loss += softmax_loss(scores, gold[begin + k], weight);
      const float* head = roles.row(some[k].head) + columns_.label_head.begin;
      float* head_gradient = role_gradient.row(some[k].head) + columns_.label_head.begin;
      for (std::size_t label = 0; label < labels_; ++label) {
        // The products make room for their own gradient.
        float* product = &products_[k * all.columns + label * (size_ + 1)];
        add_scaled({product, size_}, scores[label], {head_gradient, size_});
        for (std::size_t c = 0; c < size_; ++c) product[c] = scores[label] * head[c];
        product[size_] = scores[label];
      }
    }
    const ConstMatrix products(products_.data(), some.size(), all.columns);
    weights.labels.weights.differentiate_weights(ConstMatrix(modifiers_.data(), some.size(), size_), products,
                                                 Matrix(all.data, size_, all.columns));
    add_rows_to(products, {all.row(size_), all.columns});
    weights.labels.weights.differentiate_rows(products, Matrix(modifiers_.data(), some.size(), size_));
    for (std::size_t k = 0; k < some.size(); ++k) {
      add_scaled({&modifiers_[k * size_], size_}, 1.0F,
                 {role_gradient.row(some[k].modifier) + columns_.label_modifier.begin, size_});
    }
  }
  return loss;
}

}  // namespace copse
