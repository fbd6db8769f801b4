#include "network/role_scores.h"

#include <algorithm>

namespace copse {
namespace {

// So many that their products with all labels stay in the cache.
constexpr std::size_t kArcsAtATime = 32;

ConstMatrix in_role(ConstMatrix roles, Columns columns) {
  return {roles.data + columns.begin, roles.rows, columns.size, roles.stride};
}

}  // namespace

ConstMatrix RoleScores::product(ConstMatrix role, const QuantisedWeights::Affine& weights,
                                std::vector<float>& result) {
  rows_.assign(role);
  result.resize(role.rows * weights.weights.outputs());
  const Matrix products(result.data(), role.rows, weights.weights.outputs());
  weights.weights.multiply(rows_, weights.bias, products);
  return products;
}

ConstMatrix RoleScores::arcs(ConstMatrix roles) {
  const ConstMatrix products =
      product(in_role(roles, columns_.arc_modifier), network_->weights().arcs, arc_products_);
  arc_scores_.resize(roles.rows * roles.rows);
  const Matrix scores(arc_scores_.data(), roles.rows, roles.rows);
  multiply_transposed(products, in_role(roles, columns_.arc_head), scores);
  return scores;
}

ConstMatrix RoleScores::labels(ConstMatrix roles, std::span<const int> heads) {
  const std::size_t labels = network_->shape().labels;
  label_scores_.resize(roles.rows * labels);
  const Matrix scores(label_scores_.data(), roles.rows, labels);
  const ConstMatrix head_roles = in_role(roles, columns_.label_head);
  const ConstMatrix modifiers = in_role(roles, columns_.label_modifier);
  for (std::size_t begin = 0; begin < roles.rows; begin += kArcsAtATime) {
    const std::size_t count = std::min(kArcsAtATime, roles.rows - begin);
    const ConstMatrix products =
        product(ConstMatrix(modifiers.row(begin), count, modifiers.columns, modifiers.stride),
                network_->weights().labels, label_products_);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t word = begin + k;
      const int head = word > 0 && word < heads.size() ? std::max(heads[word], 0) : 0;
      score_labels(products.row(k), head_roles.row(static_cast<std::size_t>(head)), head_roles.columns,
                   {scores.row(word), labels});
    }
  }
  return scores;
}

ConstMatrix RoleScores::tags(ConstMatrix roles) {
  return product(in_role(roles, columns_.tags), network_->weights().tags, tag_scores_);
}

}  // namespace copse
