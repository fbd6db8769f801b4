#include "learning/network_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "network/element_kernels.h"
#include "parsing/arc_pruner.h"

namespace copse {
namespace {

// While a network knows little, its marginals choose many candidates, of which no more are looked at than
// make so many parts for each word.
constexpr std::int64_t kPartsPerWord = 400;

// Scores of a network that has run away: its loss is no number either.
template <class T>
bool are_finite(const std::vector<T>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](T number) { return std::isfinite(number); });
}
constexpr double kNoLoss = std::numeric_limits<double>::quiet_NaN();

}  // namespace

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
                         const NetworkLossOptions& options)
    : network_(&network),
      options_(options),
      columns_(network.shape),
      reader_(network.inputs, network.vectors_or_null(), network.shape),
      pass_(network.shape, blocks, network.vectors_or_null()),
      arc_biaffine_(network.shape),
      low_rank_parts_(network.shape),
      label_biaffine_(network.shape),
      tag_classifier_(network.shape),
      arc_loss_(options.trees),
      part_loss_(options.trees) {}

double NetworkLoss::run(std::span<const NetworkExample> examples, std::span<const std::size_t> batch,
                        const TrainingWeights& weights, std::uint64_t seed, Gradients& gradients) {
  gradients.clear();
  order_.assign(batch.begin(), batch.end());
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return examples[a].sentence->sentence.size() > examples[b].sentence->sentence.size();
  });
  inputs_.clear();
  sequences_.clear();
  for (const std::size_t number : order_) {
    const Sentence& sentence = examples[number].sentence->sentence;
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
    const NetworkExample& example = examples[order_[k]];
    const RowRange rows{sequences_.begin(k), sequences_.length(k)};
    scores_.resize(rows.size * rows.size);
    score_gradient_.assign(scores_.size(), 0.0F);
    arc_biaffine_.score(rows, Matrix(scores_.data(), rows.size, rows.size));
    if (!are_finite(scores_)) return kNoLoss;
    if (options_.is_local) {
      loss += lose_locally(example, rows);
    } else {
      loss += lose_trees(example, rows);
      if (network_->shape.factorization != Factorization::first) {
        loss += lose_large_parts(example, rows, weights, gradients);
        if (!std::isfinite(loss)) return kNoLoss;
      }
    }
    arc_biaffine_.backward(rows, ConstMatrix(score_gradient_.data(), rows.size, rows.size), role_gradient);
  }
  arc_biaffine_.finish_backward(weights, role_gradient, gradients.dense());
  loss += lose_labels(examples, weights, gradients);
  loss += lose_tags(examples, weights, gradients);
  pass_.backward(inputs_, sequences_, weights, role_gradient, gradients);
  return loss;
}

double NetworkLoss::lose_locally(const NetworkExample& example, RowRange rows) {
  double loss = 0.0;
  for (std::size_t word = 1; word < rows.size; ++word) {
    const int head = example.sentence->heads[word];
    if (head < 0) continue;
    const std::span<float> gradient = std::span(score_gradient_).subspan(word * rows.size, rows.size);
    std::copy_n(&scores_[word * rows.size], rows.size, gradient.begin());
    gradient[word] = -std::numeric_limits<float>::infinity();  // no word is its own head
    loss += softmax_loss(gradient, static_cast<std::size_t>(head));
  }
  return loss;
}

double NetworkLoss::lose_trees(const NetworkExample& example, RowRange rows) {
  const TrainingSentence& sentence = *example.sentence;
  const bool is_all = network_->shape.factorization == Factorization::first;
  arcs_.assign(sentence.sentence.size(), {}, Factorization::first);
  arc_potentials_.resize(arcs_.parts());
  const ArcSet& arcs = arcs_.arcs();
  const auto place = [&](int arc) {
    return static_cast<std::size_t>(arcs[arc].modifier) * rows.size +
           static_cast<std::size_t>(arcs[arc].head);
  };
  for (int arc = 0; arc < arcs.size(); ++arc) {
    arc_potentials_.arc[static_cast<std::size_t>(arc)] = scores_[place(arc)];
  }
  // Candidates are chosen by probabilities, without a margin.
  if (is_all && options_.margin > 0.0)
    add_margin(arcs_.parts(), sentence.heads, options_.margin, arc_potentials_);
  arc_loss_.assign(arcs_.parts(), arc_potentials_, sentence.heads, sentence.is_complete);
  const double weight = is_all ? 1.0 : options_.first_order_weight;
  const double loss = weight * arc_loss_.log_loss();
  if (!is_all) choose_candidates(example);
  arc_loss_.differentiate();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    score_gradient_[place(arc)] +=
        static_cast<float>(weight * arc_loss_.coefficients().arc[static_cast<std::size_t>(arc)]);
  }
  return loss;
}

void NetworkLoss::choose_candidates(const NetworkExample& example) {
  const TrainingSentence& sentence = *example.sentence;
  const int words = sentence.sentence.size();
  const std::int64_t most = kPartsPerWord * words;
  for (double threshold = options_.prune_threshold;; threshold *= 4.0) {
    candidates_.clear();
    select_candidates(arc_loss_.distribution(), arcs_.arcs(), std::min(threshold, 1.0), candidates_);
    for (int word = 1; word <= words; ++word) {
      const int head = sentence.heads[static_cast<std::size_t>(word)];
      if (head >= 0) candidates_.push_back({head, word});
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Arc& a, const Arc& b) {
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
    });
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    parts_.assign(words, candidates_, network_->shape.factorization);
    if (parts_.parts().count() <= most || threshold >= 1.0) return;
  }
}

double NetworkLoss::lose_large_parts(const NetworkExample& example, RowRange rows,
                                     const TrainingWeights& weights, Gradients& gradients) {
  const TrainingSentence& sentence = *example.sentence;
  const PartIndex& parts = parts_.parts();
  const ArcSet& arcs = parts_.arcs();
  const Matrix roles(roles_.row(rows.begin), rows.size, roles_.columns, roles_.stride);
  const Matrix role_gradient(&role_gradient_[rows.begin * roles_.columns], rows.size, roles_.columns);
  const auto place = [&](int arc) {
    return static_cast<std::size_t>(arcs[arc].modifier) * rows.size +
           static_cast<std::size_t>(arcs[arc].head);
  };
  potentials_.assign(parts);
  for (int arc = 0; arc < arcs.size(); ++arc) {
    potentials_.arc[static_cast<std::size_t>(arc)] = scores_[place(arc)];
  }
  low_rank_parts_.score(roles, weights.all(), parts, potentials_);
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (!are_finite(potentials_[kind])) return kNoLoss;
  }
  if (options_.margin > 0.0) add_margin(parts, sentence.heads, options_.margin, potentials_);
  part_loss_.assign(parts, potentials_, sentence.heads, sentence.is_complete);
  const double loss = part_loss_.log_loss();
  part_loss_.differentiate();
  const PartValues& coefficients = part_loss_.coefficients();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    score_gradient_[place(arc)] += static_cast<float>(coefficients.arc[static_cast<std::size_t>(arc)]);
  }
  low_rank_parts_.backward(roles, weights.all(), parts, coefficients, role_gradient, gradients.dense());
  return loss;
}

double NetworkLoss::lose_labels(std::span<const NetworkExample> examples, const TrainingWeights& weights,
                                Gradients& gradients) {
  if (network_->labels.empty()) return 0.0;
  label_arcs_.clear();
  gold_labels_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const NetworkExample& example = examples[order_[k]];
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

double NetworkLoss::lose_tags(std::span<const NetworkExample> examples, const TrainingWeights& weights,
                              Gradients& gradients) {
  if (network_->tags.empty() || options_.tag_weight <= 0.0F) return 0.0;
  gold_tags_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const NetworkExample& example = examples[order_[k]];
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
