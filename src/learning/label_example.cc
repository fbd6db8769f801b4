#include "learning/label_example.h"

namespace copse {

void LabelExample::assign(std::size_t number, const TrainingSentence& sentence) {
  sentence_ = &sentence;
  list_ = &(*lists_)[number];
  parts_.assign(sentence.sentence.size(), sentence.candidates, Factorization::first);
  tuple_values_.resize(list_->lengths.size() * lists_->index().names.size());
}

int LabelExample::gold_arc(std::size_t word) const {
  return static_cast<int>(parts_.parts().arc(sentence_->heads[word], static_cast<int>(word)));
}

void LabelExample::score(std::span<const float> weights) {
  const LabelIndex& index = lists_->index();
  const std::size_t labels = index.names.size();
  const float* weight = weights.data() + first_weight_;
  std::fill(tuple_values_.begin(), tuple_values_.end(), 0.0);
  const std::uint32_t* row = list_->rows.data();
  for (std::size_t tuple = 0; tuple < list_->lengths.size(); ++tuple) {
    double* values = tuple_values_.data() + tuple * labels;
    for (const std::uint32_t* end = row + list_->lengths[tuple]; row != end; ++row) {
      for (std::uint32_t k = index.starts[*row]; k < index.starts[*row + 1]; ++k)
        values[index.labels[k]] += weight[k];
    }
  }
  scores_.assign(parts_.arcs().size(), static_cast<int>(labels));
  sum_labels_of_arcs(parts_.tuples(), tuple_values_, scores_);
  if (margin_ == 0.0) return;
  for (std::size_t word = 1; word < list_->gold.size(); ++word) {
    if (list_->gold[word] == LabelList::kNoLabel) continue;
    const std::span<double> scores = scores_.of(gold_arc(word));
    for (double& score : scores) score += margin_;
    scores[static_cast<std::size_t>(list_->gold[word])] -= margin_;
  }
}

void LabelExample::add_to(std::span<double> arc_potentials) const {
  for (int arc = 0; arc < parts_.arcs().size(); ++arc) {
    arc_potentials[static_cast<std::size_t>(arc)] +=
        use_ == LabelUse::sum ? scores_.log_sum(arc) : scores_.best_score(arc);
  }
}

double LabelExample::gold_shortfall() const {
  double sum = 0.0;
  for (std::size_t word = 1; word < list_->gold.size(); ++word) {
    if (list_->gold[word] == LabelList::kNoLabel) continue;
    const int arc = gold_arc(word);
    sum += (use_ == LabelUse::sum ? scores_.log_sum(arc) : scores_.best_score(arc)) -
           scores_.of(arc)[static_cast<std::size_t>(list_->gold[word])];
  }
  return sum;
}

int LabelExample::wrong_labels(std::span<const int> heads) const {
  int wrong = 0;
  for (std::size_t word = 1; word < list_->gold.size(); ++word) {
    if (list_->gold[word] == LabelList::kNoLabel || heads[word] != sentence_->heads[word]) continue;
    wrong += scores_.best(gold_arc(word)) != list_->gold[word] ? 1 : 0;
  }
  return wrong;
}

void LabelExample::expect(std::span<const double> arc_coefficients) {
  coefficients_.assign(parts_.arcs().size(), scores_.labels());
  const auto set = [&](int arc, double amount) {
    const std::span<double> values = coefficients_.of(arc);
    scores_.probabilities(arc, values);
    for (double& value : values) value *= amount;
  };
  for (int arc = 0; arc < parts_.arcs().size(); ++arc)
    set(arc, arc_coefficients[static_cast<std::size_t>(arc)]);
  // Of the gold arcs, the coefficients above have as good as said that all labels are right.
  for (std::size_t word = 1; word < list_->gold.size(); ++word) {
    if (list_->gold[word] == LabelList::kNoLabel) continue;
    const int arc = gold_arc(word);
    set(arc, arc_coefficients[static_cast<std::size_t>(arc)] + 1.0);
    coefficients_.of(arc)[static_cast<std::size_t>(list_->gold[word])] -= 1.0;
  }
}

void LabelExample::compare(std::span<const int> other) {
  coefficients_.assign(parts_.arcs().size(), scores_.labels());
  for (std::size_t word = 1; word < list_->gold.size(); ++word) {
    if (list_->gold[word] == LabelList::kNoLabel) continue;
    coefficients_.of(gold_arc(word))[static_cast<std::size_t>(list_->gold[word])] += 1.0;
    const auto arc = static_cast<int>(parts_.parts().arc(other[word], static_cast<int>(word)));
    coefficients_.of(arc)[static_cast<std::size_t>(scores_.best(arc))] -= 1.0;
  }
}

}  // namespace copse
