#include "network/role_scores.h"

#include <algorithm>

namespace copse {
namespace {

// So many that their products with all labels stay in the cache.
constexpr std::size_t kArcsAtATime = 32;

}  // namespace

ConstMatrix RoleScores::product(RowRange rows, Columns columns, const QuantisedWeights::Affine& weights,
                                std::vector<float>& result) {
  rows_.assign(role(rows, columns));
  result.resize(rows.size * weights.weights.outputs());
  const Matrix products(result.data(), rows.size, weights.weights.outputs());
  weights.weights.multiply(rows_, weights.bias, products);
  return products;
}

void RoleScores::prepare(ConstMatrix roles) {
  roles_ = roles;
  product({0, roles.rows}, columns_.arc_modifier, network_->weights().arcs, arc_products_);
}

ConstMatrix RoleScores::arcs(RowRange sentence) {
  const std::size_t size = columns_.arc_head.size;
  arc_scores_.resize(sentence.size * sentence.size);
  const Matrix scores(arc_scores_.data(), sentence.size, sentence.size);
  multiply_transposed(ConstMatrix(&arc_products_[sentence.begin * size], sentence.size, size),
                      role(sentence, columns_.arc_head), scores);
  return scores;
}

ConstMatrix RoleScores::labels(RowRange sentence, std::span<const int> heads) {
  const std::size_t labels = network_->shape().labels;
  label_scores_.resize(sentence.size * labels);
  const Matrix scores(label_scores_.data(), sentence.size, labels);
  const ConstMatrix head_roles = role(sentence, columns_.label_head);
  for (std::size_t begin = 0; begin < sentence.size; begin += kArcsAtATime) {
    const std::size_t count = std::min(kArcsAtATime, sentence.size - begin);
    const ConstMatrix products = product({sentence.begin + begin, count}, columns_.label_modifier,
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

ConstMatrix RoleScores::tags(RowRange sentence) {
  return product(sentence, columns_.tags, network_->weights().tags, tag_scores_);
}

}  // namespace copse
