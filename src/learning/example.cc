#include "learning/example.h"

#include <algorithm>

#include "inference/tree_parts.h"

namespace copse {

void Example::assign(std::size_t sentence) {
  sentence_ = &lists_->sentences()[sentence];
  parts_.assign(sentence_->sentence.size(), sentence_->candidates, factorization_);
  list_ = lists_->kept(sentence);
  if (list_ == nullptr) {
    lister_.list(sentence_->sentence, parts_.tuples(), own_list_);
    list_ = &own_list_;
  }
  tuple_values_.resize(static_cast<std::size_t>(parts_.tuples().size()));
  if (labels_) labels_->assign(sentence, *sentence_, parts_);
}

void Example::score(std::span<const float> weights) {
  const std::uint32_t* feature = list_->features.data();
  const float* weight = weights.data();
  for (std::size_t tuple = 0; tuple < tuple_values_.size(); ++tuple) {
    double sum = 0.0;
    for (const std::uint32_t* end = feature + list_->lengths[tuple]; feature != end; ++feature) {
      sum += weight[*feature];
    }
    tuple_values_[tuple] = sum;
  }
  parts_.tuples().to_parts(tuple_values_, potentials_);
  if (margin_ > 0.0) add_margin();
  if (labels_) {
    labels_->score(weights);
    labels_->add_to(potentials_.largest(factorization_));
  }
  distribution_.assign(parts_.parts(), potentials_, trees_);
}

void Example::add_margin() {
  const ArcSet& arcs = parts_.arcs();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const int gold = sentence_->heads[static_cast<std::size_t>(arcs[arc].modifier)];
    if (gold != kNoHead && gold != arcs[arc].head) potentials_.arc[static_cast<std::size_t>(arc)] += margin_;
  }
}

double Example::log_loss() {
  const double log_partition = distribution_.log_partition();
  coefficients_ = distribution_.marginals();
  if (sentence_->is_complete) {
    add_tree(sentence_->heads, coefficients_, -1.0);  // a tree has few parts
  } else {
    restrict_to_gold();
    const PartValues& gold_parts = restricted_.marginals();
    for (const PartKind kind : part_kinds(factorization_)) {
      std::transform(coefficients_[kind].begin(), coefficients_[kind].end(), gold_parts[kind].begin(),
                     coefficients_[kind].begin(), std::minus<>());
    }
  }
  if (labels_) expect_labels();
  return log_partition -
         (sentence_->is_complete ? gold_score(sentence_->heads) : restricted_.log_partition());
}

void Example::expect_labels() {
  if (!sentence_->is_complete) {
    return labels_->expect(coefficients_.largest(factorization_),
                           restricted_.marginals().largest(factorization_));
  }
  gold_parts_.assign(parts_.parts());
  add_tree(sentence_->heads, gold_parts_);
  labels_->expect(coefficients_.largest(factorization_), gold_parts_.largest(factorization_));
}

void Example::restrict_to_gold() {
  constraints_.heads = sentence_->heads;
  if (!labels_) return restricted_.assign(parts_.parts(), potentials_, trees_, constraints_);
  gold_potentials_ = potentials_;
  labels_->restrict_to_gold(gold_potentials_.largest(factorization_));
  restricted_.assign(parts_.parts(), gold_potentials_, trees_, constraints_);
}

void Example::gold_tree(std::vector<int>& heads) {
  heads = sentence_->heads;
  if (sentence_->is_complete) return;
  restrict_to_gold();
  restricted_.best_tree(heads);
}

double Example::gold_score(std::span<const int> gold_tree) {
  return distribution_.score(gold_tree) - (labels_ ? labels_->gold_shortfall(gold_tree) : 0.0);
}

void Example::compare(std::span<const int> gold_tree, std::span<const int> other) {
  coefficients_.assign(parts_.parts());
  add_tree(gold_tree, coefficients_, 1.0);
  add_tree(other, coefficients_, -1.0);
  if (labels_) labels_->compare(gold_tree, other);
}

void Example::add_tree(std::span<const int> heads, PartValues& values, double amount) const {
  const PartIndex& parts = parts_.parts();
  for_each_part_of_tree(heads, factorization_, [&](PartKind kind, const PartWords& words) {
    values[kind][static_cast<std::size_t>(parts.find(kind, words))] += amount;
  });
}

}  // namespace copse
