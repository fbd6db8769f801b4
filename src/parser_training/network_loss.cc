#include "parser_training/network_loss.h"

#include <algorithm>
#include <cmath>

namespace copse {

NetworkLoss::NetworkLoss(const NetworkDescription& network, const NetworkBlocks& blocks,
                         std::span<const NetworkExample> examples, const NetworkLossOptions& options)
    : network_(&network),
      examples_(examples),
      options_(options),
      reader_(network.inputs, network.vectors_or_null(), network.shape),
      pass_(network.shape, blocks, network.vectors_or_null()),
      arc_biaffine_(network.shape),
      tree_loss_(network.shape, options),
      label_biaffine_(network.shape),
      tag_classifier_(network.shape) {}

double NetworkLoss::run(std::span<const std::size_t> batch, const TrainingWeights& weights,
                        std::uint64_t seed, Gradients& gradients) {
  gradients.clear();
  order_.assign(batch.begin(), batch.end());
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return examples_[a].sentence->sentence.size() > examples_[b].sentence->sentence.size();
  });
  inputs_.clear();
  sequences_.clear();
  for (const std::size_t number : order_) {
    const Sentence& sentence = examples_[number].sentence->sentence;
    reader_.append(sentence, inputs_);
    sequences_.add(static_cast<std::size_t>(sentence.size()) + 1);
  }
  Random random(seed);
  dropout_.draw(network_->shape, sequences_, options_.dropout, random);
  roles_ = pass_.forward(inputs_, sequences_, weights, dropout_);
  role_gradient_.assign(roles_.rows * roles_.columns, 0.0F);
  const Matrix role_gradient(role_gradient_.data(), roles_.rows, roles_.columns);
  arc_biaffine_.prepare(roles_, weights);
  arc_biaffine_.begin_backward();
  double loss = 0.0;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const RowRange rows{sequences_.begin(k), sequences_.length(k)};
    scores_.resize(rows.size * rows.size);
    score_gradient_.assign(scores_.size(), 0.0F);
    const Matrix scores(scores_.data(), rows.size, rows.size);
    const Matrix score_gradient(score_gradient_.data(), rows.size, rows.size);
    arc_biaffine_.score(rows, scores);
    loss +=
        tree_loss_.run(*examples_[order_[k]].sentence,
                       {scores, ConstMatrix(roles_.row(rows.begin), rows.size, roles_.columns, roles_.stride),
                        weights.all()},
                       {score_gradient, Matrix(role_gradient.row(rows.begin), rows.size, roles_.columns),
                        gradients.dense()});
    if (!std::isfinite(loss)) return loss;
    arc_biaffine_.backward(rows, score_gradient, role_gradient);
  }
  arc_biaffine_.finish_backward(weights, role_gradient, gradients.dense());
  gold_.assign(*network_, examples_, order_, sequences_);
  if (!gold_.label_arcs.empty()) {
    loss += label_biaffine_.loss(roles_, weights, gold_.label_arcs, gold_.labels, options_.label_weight,
                                 role_gradient, gradients.dense());
  }
  if (!gold_.tags.empty() && options_.tag_weight > 0.0F) {
    loss += tag_classifier_.loss(roles_, weights, gold_.tags, options_.tag_weight, role_gradient,
                                 gradients.dense());
  }
  pass_.backward(weights, role_gradient, gradients);
  return loss;
}

}  // namespace copse
