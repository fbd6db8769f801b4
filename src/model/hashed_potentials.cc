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

void HashedPotentials::score_arcs(const PartIndex& arcs, Potentials& potentials) {
  arc_tuples_.assign(arcs);
  pruner_.score(*sentence_, arc_tuples_, potentials);
}

void HashedPotentials::score(const PartIndex& parts, double factor, Potentials& potentials) {
  tuples_.assign(parts);
  parser_.score(*sentence_, tuples_, potentials);
  if (factor != 1.0) potentials.scale(factor);
  if (label_scorer_) label_scorer_->assign(*sentence_, tuples_, factor);
}

std::span<const std::string> HashedPotentials::labels() const {
  if (label_model_ == nullptr) return {};
  return label_model_->labels();
}

std::span<const Label> HashedPotentials::candidate_labels(Arc arc) {
  if (!has_keys_) keys_.assign(*sentence_, label_model_->extractor().options().coarse);
  has_keys_ = true;
  return label_model_->candidates_of(keys_, arc);
}

}  // namespace copse
