#include "copse/parsing/parser.h"

#include <algorithm>

namespace copse {
namespace {

std::int64_t count_parts(const PartIndex& parts) {
  return parts.arc_count() + parts.sibling_count() + parts.grandchild_count() + parts.grandsibling_count();
}

void scale(Potentials& potentials, double factor) {
  for (std::vector<double>* values :
       {&potentials.arc, &potentials.sibling, &potentials.grandchild, &potentials.grandsibling}) {
    for (double& value : *values) value *= factor;
  }
}

}  // namespace

// Without a pruner, the model's own features of arcs serve where there is no way without pruning.
Parser::Parser(const Model& model, const ParserOptions& options)
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
    if (count_parts(parts_.parts()) <= options_.max_parts || threshold >= 1.0) return;
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
  if (factor != 1.0) scale(potentials_, factor);
  if (label_scorer_) {
    label_scorer_->score(sentence, candidates_, label_scores_);
    label_scores_.scale(factor);
    has_labelled_trees_ = false;
    constraints_ = constraints;
    label_sums_.resize(potentials_.arc.size());
    for (int arc = 0; arc < arcs().size(); ++arc) {
      const auto k = static_cast<std::size_t>(arc);
      label_sums_[k] = label_scores_.log_sum(arc);
      potentials_.arc[k] += label_sums_[k];
    }
  }
  trees_.assign(parts_.parts(), potentials_, model_->trees(), constraints);
}

TreeDistribution& Parser::labelled_trees() {
  if (!label_scorer_) return trees_;
  if (!has_labelled_trees_) {
    labelled_potentials_ = potentials_;
    for (int arc = 0; arc < arcs().size(); ++arc) {
      const auto k = static_cast<std::size_t>(arc);
      labelled_potentials_.arc[k] += label_scores_.best_score(arc) - label_sums_[k];
    }
    labelled_trees_.assign(parts_.parts(), labelled_potentials_, model_->trees(), constraints_);
    has_labelled_trees_ = true;
  }
  return labelled_trees_;
}

}  // namespace copse
