#include "model/hashed_potentials.h"

namespace copse {

HashedPotentials::HashedPotentials(const LinearModel& parser, const LinearModel* pruner,
                                   const LabelModel* labels)
    : factorization_(parser.factorization()),
      pruner_(pruner != nullptr ? *pruner : parser),
      parser_(parser),
      label_model_(labels) {
  if (labels != nullptr) label_scorer_.emplace(*labels);
}

void HashedPotentials::score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) {
  arc_tuples_.assign(arcs);
  pruner_.score(sentences_[sentence], arc_tuples_, potentials);
}

void HashedPotentials::score(std::size_t sentence, const PartIndex& parts, double factor,
                             Potentials& potentials) {
  tuples_.assign(parts);
  parser_.score(sentences_[sentence], tuples_, potentials);
  if (factor != 1.0) potentials.scale(factor);
  if (label_scorer_) label_scorer_->assign(sentences_[sentence], tuples_, factor);
}

std::span<const std::string> HashedPotentials::labels() const {
  if (label_model_ == nullptr) return {};
  return label_model_->labels();
}

std::span<const Label> HashedPotentials::candidate_labels(std::size_t sentence, Arc arc) {
  if (keyed_sentence_ != sentence) {
    keys_.assign(sentences_[sentence], label_model_->extractor().options().coarse);
    keyed_sentence_ = sentence;
  }
  return label_model_->candidates_of(keys_, arc);
}

}  // namespace copse
