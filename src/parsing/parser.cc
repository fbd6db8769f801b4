#include "parsing/parser.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "inference/tree_parts.h"
#include "numeric/log_sum_exp.h"
#include "parallel/interruption.h"

namespace copse {
namespace {

// Leaves nothing to the model.
ParserOptions complete_options(const ParserModel& model, const ParserOptions& options) {
  ParserOptions complete = options;
  const double own_threshold = model.has_pruner() ? model.prune_threshold() : 0.0;
  complete.prune_threshold = model.has_pruner() ? options.prune_threshold.value_or(own_threshold) : 0.0;
  complete.temperature = options.temperature.value_or(model.temperature());
  // A threshold that the caller has chosen, or a model without one, means that many arcs are wanted.
  if (options.prune_threshold || own_threshold == 0.0) complete.max_parts_per_word.reset();
  return complete;
}

}  // namespace

Parser::Parser(const ParserModel& model, const ParserOptions& options)
    : Parser(model, model.make_potentials(), options) {}

Parser::Parser(const ParserModel& model, std::unique_ptr<PotentialSource> source,
               const ParserOptions& options)
    : Parser(std::move(source), model.trees(), complete_options(model, options)) {}

Parser::Parser(std::unique_ptr<PotentialSource> source, TreeSpace trees, const ParserOptions& options)
    : source_(std::move(source)), tree_space_(trees), pruner_(*source_, trees.root) {
  set_options(options);
}

void Parser::set_options(const ParserModel& model, const ParserOptions& options) {
  set_options(complete_options(model, options));
}

void Parser::set_options(const ParserOptions& options) {
  prune_threshold_ = options.prune_threshold.value_or(0.0);
  temperature_ = options.temperature.value_or(1.0);
  max_parts_ = options.max_parts;
  max_parts_per_word_ = options.max_parts_per_word;
}

void Parser::choose_candidates(int words, const Constraints& constraints) {
  candidates_.clear();
  had_to_prune_ = false;
  const Factorization factorization = source_->factorization();
  if (factorization == Factorization::first) {
    parts_.assign(words, {}, factorization);
    return;
  }
  const bool is_constrained = !constraints.heads.empty() || !constraints.forbidden.empty();
  std::int64_t max_parts = max_parts_;
  if (max_parts_per_word_) max_parts = std::min(max_parts, *max_parts_per_word_ * words);
  double threshold = prune_threshold_;
  if (threshold > 0.0) pruner_.prune(words, {}, threshold, candidates_);
  for (;;) {
    interruption_point();
    if (is_constrained && threshold > 0.0) pruner_.add_required(constraints, candidates_);
    parts_.assign(words, candidates_, factorization);
    if (parts().count() <= max_parts || threshold >= 1.0) return;
    had_to_prune_ = true;
    if (threshold == 0.0) {
      constexpr double kFirstThreshold = 1e-5;
      threshold = kFirstThreshold;
      pruner_.prune(words, {}, threshold, candidates_);
    } else {
      threshold = std::min(1.0, threshold * 10.0);
      pruner_.prune_again(threshold, candidates_);
    }
  }
}

void Parser::assign(const Sentence& sentence, const Constraints& constraints,
                    const LabelConstraints& labels) {
  const Sentence* const pointer = &sentence;
  prepare({&pointer, 1}, batch_);
  assign(PreparedSentence(batch_, 0), constraints, labels);
}

void Parser::assign(PreparedSentence sentence, const Constraints& constraints,
                    const LabelConstraints& labels) {
  const int words = sentence.words();
  source_->assign(sentence);
  constraints_ = constraints;
  evidence_.assign(*source_, words, tree_space_, constraints, has_labels() ? labels.known : AllowedLabels(),
                   labels.are_roots_attached);
  constraints_.forbidden.insert(constraints_.forbidden.end(), evidence_.impossible_arcs().begin(),
                                evidence_.impossible_arcs().end());
  choose_candidates(words, constraints_);
  source_->score(parts(), 1.0 / temperature_, potentials_);
  interruption_point();
  has_labelled_trees_ = false;
  kept_labels_.clear();
  if (has_labels()) add_labels();
  trees_.assign(parts(), potentials_, tree_space_, constraints_);
}

void Parser::add_labels() {
  best_labels_.clear();
  best_excesses_.clear();
  double* potential = potentials_.labelled(source_->factorization()).data();
  for (int arc = 0; arc < arcs().size(); ++arc) {
    const int count = parts().labelled_count(arc);
    // Probabilities of all labels given the arc sum up to 1.
    if (!has_joint_labels() && evidence_.allowed(arcs()[arc]).empty()) {
      potential += count;
      continue;
    }
    const ArcLabels labels = allowed_labels(arc);
    const bool is_unlabelled = evidence_.is_unlabelled(arcs()[arc]);
    for (int part = 0; part < count; ++part, ++potential) {
      // An arc that cannot have its known label is no arc of any tree.
      const std::span<const double> scores = labels.of_part(part);
      const std::size_t best = scores.empty() ? 0 : best_of(scores);
      const double sum = scores.empty() ? 0.0 : log_sum_exp(scores);
      *potential += sum;
      if (!has_joint_labels()) continue;
      best_labels_.push_back(scores.empty() ? Label{0} : labels.labels[best]);
      best_excesses_.push_back(scores.empty() || is_unlabelled ? 0.0 : scores[best] - sum);
    }
  }
}

TreeDistribution& Parser::labelled_trees() {
  if (!has_joint_labels()) return trees_;
  assign_labelled_trees();
  return labelled_trees_;
}

void Parser::assign_labelled_trees() {
  if (has_labelled_trees_) return;
  if (!has_joint_labels()) find_best_labels_given_arcs();
  labelled_potentials_ = potentials_;
  std::vector<double>& labelled = labelled_potentials_.labelled(source_->factorization());
  std::transform(labelled.begin(), labelled.end(), best_excesses_.begin(), labelled.begin(), std::plus<>());
  labelled_trees_.assign(parts(), labelled_potentials_, tree_space_, constraints_);
  has_labelled_trees_ = true;
}

void Parser::find_best_labels_given_arcs() {
  best_excesses_.clear();
  for (int arc = 0; arc < arcs().size(); ++arc) {
    const std::span<const double> scores = allowed_labels(arc).of_part(0);
    const bool has_none = scores.empty() || evidence_.is_unlabelled(arcs()[arc]);
    const double excess = has_none ? 0.0 : scores[best_of(scores)] - log_sum_exp(scores);
    best_excesses_.insert(best_excesses_.end(), static_cast<std::size_t>(parts().labelled_count(arc)),
                          excess);
  }
}

void Parser::k_best_labelled(int k, std::vector<LabelledParse>& trees) {
  assign_labelled_trees();
  labelled_trees_.k_best(k, best_trees_);
  interruption_point();
  kept_of_arc_.assign(static_cast<std::size_t>(arcs().size()), -1);
  kept_labels_.clear();
  labelled_k_best_.run(
      k, best_trees_,
      [this](std::span<const int> heads, LabelChoices& choices) { choose_labels(heads, choices); }, trees);
}

void Parser::choose_labels(std::span<const int> heads, LabelChoices& choices) {
  interruption_point();
  const PartKind labelled = labelled_kind(parts().factorization());
  for_each_labelled_part_of_tree(heads, parts().factorization(), [&](const PartWords& words) {
    const int arc = arcs().find(words.head, words.modifier);
    if (evidence_.is_unlabelled(arcs()[arc])) return choices.add_word({}, {});
    int& kept = kept_of_arc_[static_cast<std::size_t>(arc)];
    if (kept < 0) {
      kept = static_cast<int>(kept_labels_.size());
      const ArcLabels labels = allowed_labels(arc);
      KeptLabels& own = kept_labels_.emplace_back();
      own.labels.assign(labels.labels.begin(), labels.labels.end());
      own.scores.assign(labels.scores.begin(), labels.scores.end());
      own.are_same_in_all_parts = labels.are_same_in_all_parts;
    }
    const KeptLabels& own = kept_labels_[static_cast<std::size_t>(kept)];
    const ArcLabels labels{own.labels, own.scores, own.are_same_in_all_parts};
    const auto part = static_cast<int>(parts().find(labelled, words) - parts().labelled_begin(arc));
    choices.add_word(own.labels, labels.of_part(part));
  });
}

void Parser::best_labels(std::span<const int> heads, std::vector<int>& labels) const {
  labels.assign(heads.size(), 0);
  const PartKind labelled = labelled_kind(parts().factorization());
  for_each_labelled_part_of_tree(heads, parts().factorization(), [&](const PartWords& words) {
    labels[static_cast<std::size_t>(words.modifier)] = best_label(parts().find(labelled, words));
  });
}

void Parser::label_probabilities(int arc, std::vector<double>& probabilities) {
  probabilities.assign(source_->labels().size(), 0.0);
  const std::vector<double>& marginals = trees_.marginals().labelled(source_->factorization());
  const auto first = static_cast<std::size_t>(parts().labelled_begin(arc));
  const ArcLabels labels = allowed_labels(arc);
  if (labels.labels.empty()) return;
  double all = 0.0;
  for (int part = 0; part < parts().labelled_count(arc); ++part) {
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
