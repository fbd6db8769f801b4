#include "parser_training/tree_loss.h"

#include <algorithm>
#include <functional>

#include "inference/tree_parts.h"

namespace copse {

void TreeLoss::assign(const PartIndex& parts, const Potentials& potentials, std::span<const int> heads,
                      bool is_complete) {
  parts_ = &parts;
  potentials_ = gold_potentials_ = &potentials;
  heads_ = heads;
  is_complete_ = is_complete;
  has_restricted_ = false;
  distribution_.assign(parts, potentials, trees_);
}

TreeDistribution& TreeLoss::gold_trees() {
  if (!has_restricted_) {
    constraints_.heads.assign(heads_.begin(), heads_.end());
    restricted_.assign(*parts_, *gold_potentials_, trees_, constraints_);
    has_restricted_ = true;
  }
  return restricted_;
}

double TreeLoss::gold_log_sum() {
  return is_complete_ ? distribution_.score(heads_) : gold_trees().log_partition();
}

void TreeLoss::differentiate() {
  distribution_.move_marginals_to(coefficients_);
  if (is_complete_) {
    add_tree(heads_, -1.0);
    return;
  }
  const Marginals& gold = gold_trees().marginals();
  for (const PartKind kind : part_kinds(parts_->factorization())) {
    std::transform(coefficients_[kind].begin(), coefficients_[kind].end(), gold[kind].begin(),
                   coefficients_[kind].begin(), std::minus<>());
  }
}

const std::vector<double>& TreeLoss::gold_labelled_parts() {
  const PartKind labelled = labelled_kind(parts_->factorization());
  if (!is_complete_) return gold_trees().marginals()[labelled];
  gold_labelled_.assign(static_cast<std::size_t>(parts_->count(labelled)), 0.0);
  for_each_labelled_part_of_tree(heads_, parts_->factorization(), [&](const PartWords& words) {
    gold_labelled_[static_cast<std::size_t>(parts_->find(labelled, words))] += 1.0;
  });
  return gold_labelled_;
}

void TreeLoss::gold_tree(std::vector<int>& heads) {
  heads.assign(heads_.begin(), heads_.end());
  if (!is_complete_) gold_trees().best_tree(heads);
}

void TreeLoss::compare(std::span<const int> gold_tree, std::span<const int> other) {
  coefficients_.assign(*parts_);
  add_tree(gold_tree, 1.0);
  add_tree(other, -1.0);
}

void TreeLoss::add_tree(std::span<const int> heads, double amount) {
  for_each_part_of_tree(heads, parts_->factorization(), [&](PartKind kind, const PartWords& words) {
    coefficients_[kind][static_cast<std::size_t>(parts_->find(kind, words))] += amount;
  });
}

void add_margin(const PartIndex& parts, std::span<const int> heads, double margin, Potentials& potentials) {
  const ArcSet& arcs = parts.arcs();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const int gold = heads[static_cast<std::size_t>(arcs[arc].modifier)];
    if (gold >= 0 && gold != arcs[arc].head) potentials.arc[static_cast<std::size_t>(arc)] += margin;
  }
}

}  // namespace copse
