#include "parsing/parser.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "inference/tree_parts.h"
#include "numeric/log_sum_exp.h"

namespace copse {
// Without a pruner, the model's own features of arcs serve where there is no way without pruning.
Parser::Parser(const ParserModel& model, const ParserOptions& options)
    : model_(&model),
      options_(options),
      scorer_(model.parser()),
      pruner_(model.pruner() != nullptr ? *model.pruner() : model.parser(), model.root()) {
  if (model.labels() != nullptr) label_scorer_.emplace(*model.labels());
}

void Parser::choose_candidates(const Sentence& sentence, const Constraints& constraints) {
  candidates_.clear();
  had_to_prune_ = false;
  const Factorization factorization = model_->factorization();
  if (factorization == Factorization::first) {
    parts_.assign_parts(sentence.size(), {}, factorization);
    return;
  }
  double threshold =
      model_->pruner() == nullptr ? 0.0 : options_.prune_threshold.value_or(model_->prune_threshold());
  if (threshold > 0.0) pruner_.prune(sentence, constraints, threshold, candidates_);
  for (;;) {
    parts_.assign_parts(sentence.size(), candidates_, factorization);
    if (parts_.parts().count() <= options_.max_parts || threshold >= 1.0) return;
    had_to_prune_ = true;
    if (threshold == 0.0) {
      constexpr double kFirstThreshold = 1e-5;
      threshold = kFirstThreshold;
      pruner_.prune(sentence, constraints, threshold, candidates_);
    } else {
      threshold = std::min(1.0, threshold * 10.0);
      pruner_.prune_again(threshold, candidates_);
    }
  }
}

void Parser::assign(const Sentence& sentence, const Constraints& constraints) {
  choose_candidates(sentence, constraints);
  parts_.assign_tuples();
  scorer_.score(sentence, parts_.tuples(), potentials_);
  const double factor = 1.0 / options_.temperature.value_or(model_->temperature());
  if (factor != 1.0) potentials_.scale(factor);
  if (label_scorer_) {
    label_scorer_->assign(sentence, parts_, factor);
    add_labels();
    has_labelled_trees_ = false;
    constraints_ = constraints;
  }
  trees_.assign(parts_.parts(), potentials_, model_->trees(), constraints);
}

void Parser::add_labels() {
  best_labels_.clear();
  best_excesses_.clear();
  double* potential = potentials_.largest(model_->factorization()).data();
  for (int arc = 0; arc < arcs().size(); ++arc) {
    const ArcLabels labels = label_scorer_->score(arc);
    for (int part = 0; part < parts().largest_count(arc); ++part) {
      const std::span<const double> scores = labels.of_part(part);
      const std::size_t best = best_of(scores);
      const double sum = log_sum_exp(scores);
      *potential++ += sum;
      best_labels_.push_back(labels.labels[best]);
      best_excesses_.push_back(scores[best] - sum);
    }
  }
}

TreeDistribution& Parser::labelled_trees() {
  if (!label_scorer_) return trees_;
  if (!has_labelled_trees_) {
    labelled_potentials_ = potentials_;
    std::vector<double>& largest = labelled_potentials_.largest(model_->factorization());
    std::transform(largest.begin(), largest.end(), best_excesses_.begin(), largest.begin(), std::plus<>());
    labelled_trees_.assign(parts_.parts(), labelled_potentials_, model_->trees(), constraints_);
    has_labelled_trees_ = true;
  }
  return labelled_trees_;
}

void Parser::best_labels(std::span<const int> heads, std::vector<int>& labels) const {
  labels.assign(heads.size(), 0);
  const PartKind largest = largest_kind(parts().factorization());
  for_each_largest_part_of_tree(heads, parts().factorization(), [&](const PartWords& words) {
    labels[static_cast<std::size_t>(words.modifier)] = best_label(parts().find(largest, words));
  });
}

void Parser::label_probabilities(int arc, std::vector<double>& probabilities) {
  probabilities.assign(model_->labels()->labels().size(), 0.0);
  const std::vector<double>& marginals = trees_.marginals().largest(model_->factorization());
  const auto first = static_cast<std::size_t>(parts().largest_begin(arc));
  const ArcLabels labels = label_scorer_->score(arc);
  double all = 0.0;
  for (int part = 0; part < parts().largest_count(arc); ++part) {
    const double marginal = marginals[first + static_cast<std::size_t>(part)];
    const std::span<const double> scores = labels.of_part(part);
    const double sum = log_sum_exp(scores);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      probabilities[labels.labels[k]] += marginal * std::exp(scores[k] - sum);
    }
    all += marginal;
  }
  if (all <= 0.0) return;
  for (double& probability : probabilities) probability /= all;
}

}  // namespace copse
