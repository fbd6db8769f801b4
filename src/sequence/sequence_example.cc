#include "sequence/sequence_example.h"

namespace copse {

void SequenceExample::assign(const SequenceList& list, std::span<const float> weights) {
  list_ = &list;
  parts_.assign(order_, list.lattice.counts);
  potentials_.assign(parts_);
  const std::uint32_t* feature = list.features.data();
  for (std::size_t label = 0; label < list.lengths.size(); ++label) {
    double score = 0.0;
    for (const std::uint32_t* end = feature + list.lengths[label]; feature != end; ++feature) {
      score += weights[*feature];
    }
    potentials_.labels[label] = score;
  }
  const auto score_transitions = [&](std::span<const std::uint32_t> numbers, std::vector<double>& values) {
    for (std::size_t part = 0; part < numbers.size(); ++part) {
      if (numbers[part] != SequenceList::kNone) values[part] = weights[numbers[part]];
    }
  };
  score_transitions(list.pairs, potentials_.pairs);
  score_transitions(list.triples, potentials_.triples);
  if (margin_ > 0.0) {
    for (double& score : potentials_.labels) score += margin_;
    for (int position = 0; position < parts_.size(); ++position) {
      const int gold = list.lattice.gold[static_cast<std::size_t>(position)];
      if (gold >= 0) potentials_.labels[parts_.label(position, gold)] -= margin_;
    }
  }
  distribution_.assign(parts_, potentials_);
}

double SequenceExample::log_loss() {
  coefficients_ = distribution_.marginals();
  add_sequence(list_->lattice.gold, -1.0);
  return distribution_.log_partition() - distribution_.score(list_->lattice.gold);
}

std::span<const int> SequenceExample::best() {
  best_.resize(list_->lattice.counts.size());
  distribution_.best(best_);
  return best_;
}

int SequenceExample::wrong_labels() {
  best();
  int wrong = 0;
  for (std::size_t position = 0; position < best_.size(); ++position) {
    wrong += best_[position] != list_->lattice.gold[position] ? 1 : 0;
  }
  return wrong;
}

void SequenceExample::compare_with_best() {
  coefficients_.assign(parts_);
  add_sequence(list_->lattice.gold, 1.0);
  add_sequence(best(), -1.0);
}

void SequenceExample::add_sequence(std::span<const int> labels, double amount) {
  int before_that = 0;
  int before = 0;
  for (int position = 0; position < parts_.size(); ++position) {
    const int label = labels[static_cast<std::size_t>(position)];
    coefficients_.labels[parts_.label(position, label)] += amount;
    if (order_ >= 1) coefficients_.pairs[parts_.pair(position, before, label)] += amount;
    if (order_ >= 2) coefficients_.triples[parts_.triple(position, before_that, before, label)] += amount;
    before_that = before;
    before = label;
  }
}

}  // namespace copse
