#include "parser_training/example.h"

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
  if (margin_ > 0.0) add_margin(parts_.parts(), sentence_->heads, margin_, potentials_);
  if (labels_) {
    labels_->score(weights);
    labels_->add_to(potentials_.labelled(factorization_));
  }
  loss_.assign(parts_.parts(), potentials_, sentence_->heads, sentence_->is_complete);
  if (labels_ && !sentence_->is_complete) {
    gold_potentials_ = potentials_;
    labels_->restrict_to_gold(gold_potentials_.labelled(factorization_));
    loss_.set_gold_potentials(gold_potentials_);
  }
}

double Example::log_loss() {
  const double log_partition = loss_.distribution().log_partition();
  loss_.differentiate();
  if (labels_) labels_->expect(loss_.coefficients().labelled(factorization_), loss_.gold_labelled_parts());
  return log_partition - (sentence_->is_complete ? gold_score(sentence_->heads) : loss_.gold_log_sum());
}

double Example::gold_score(std::span<const int> gold_tree) {
  return loss_.distribution().score(gold_tree) - (labels_ ? labels_->gold_shortfall(gold_tree) : 0.0);
}

void Example::compare(std::span<const int> gold_tree, std::span<const int> other) {
  loss_.compare(gold_tree, other);
  if (labels_) labels_->compare(gold_tree, other);
}

}  // namespace copse
