#include "learning/network_loss.h"

#include <algorithm>
#include <cmath>

namespace copse {

NetworkExample make_network_example(const TrainingSentence& sentence, const NetworkDescription& network) {
  NetworkExample example{&sentence, {}, {}};
  const auto words = static_cast<std::size_t>(sentence.sentence.size());
  if (!network.labels.empty()) {
    example.labels.assign(words + 1, -1);
    for (std::size_t word = 1; word <= words; ++word) {
      const std::string_view label = sentence.sentence[static_cast<int>(word)].deprel();
      const auto found = std::lower_bound(network.labels.begin(), network.labels.end(), label);
      if (found != network.labels.end() && *found == label) {
        example.labels[word] = static_cast<std::int32_t>(found - network.labels.begin());
      }
    }
  }
  for (const TagColumn& column : network.tags) {
    std::vector<std::int32_t>& values = example.tags.emplace_back(words + 1, -1);
    for (std::size_t word = 1; word <= words; ++word) {
      const Token& token = sentence.sentence[static_cast<int>(word)];
      values[word] =
          static_cast<std::int32_t>(column.values.find(TagColumn::value_of(token, column.column))) - 1;
    }
  }
  return example;
}

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
  roles_ = pass_.forward(inputs_, sequences_, weights, options_.dropout, &random);
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
  loss += lose_labels(weights, gradients);
  loss += lose_tags(weights, gradients);
  pass_.backward(inputs_, sequences_, weights, role_gradient, gradients);
  return loss;
}

double NetworkLoss::lose_labels(const TrainingWeights& weights, Gradients& gradients) {
  if (network_->labels.empty()) return 0.0;
  label_arcs_.clear();
  gold_labels_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const NetworkExample& example = examples_[order_[k]];
    for (std::size_t word = 1; word < sequences_.length(k); ++word) {
      const int head = example.sentence->heads[word];
      if (head < 0 || example.labels[word] < 0) continue;
      label_arcs_.push_back(
          {sequences_.begin(k) + static_cast<std::size_t>(head), sequences_.begin(k) + word});
      gold_labels_.push_back(static_cast<std::uint32_t>(example.labels[word]));
    }
  }
  return label_biaffine_.loss(roles_, weights, label_arcs_, gold_labels_, options_.label_weight,
                              Matrix(role_gradient_.data(), roles_.rows, roles_.columns), gradients.dense());
}

double NetworkLoss::lose_tags(const TrainingWeights& weights, Gradients& gradients) {
  if (network_->tags.empty() || options_.tag_weight <= 0.0F) return 0.0;
  gold_tags_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const NetworkExample& example = examples_[order_[k]];
    for (std::size_t column = 0; column < network_->tags.size(); ++column) {
      for (std::size_t word = 1; word < sequences_.length(k); ++word) {
        const std::int32_t value = example.tags[column][word];
        if (value < 0) continue;
        gold_tags_.push_back(
            {sequences_.begin(k) + word, network_->tags[column].place, static_cast<std::size_t>(value)});
      }
    }
  }
  return tag_classifier_.loss(roles_, weights, gold_tags_, options_.tag_weight,
                              Matrix(role_gradient_.data(), roles_.rows, roles_.columns), gradients.dense());
}

}  // namespace copse
