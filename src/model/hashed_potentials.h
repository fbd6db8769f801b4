#pragma once

#include <optional>

#include "model/label_model.h"
#include "model/linear_model.h"
#include "model/part_scorer.h"
#include "model/potential_source.h"

namespace copse {

// Potentials as sums of the weights of hashed features. The tuples of words that features are about are made
// here, for the parts that are scored.
class HashedPotentials : public PotentialSource {
 public:
  // Borrows the models. Without a pruner, the features of arcs of the parser itself serve as one.
  explicit HashedPotentials(const LinearModel& parser, const LinearModel* pruner = nullptr,
                            const LabelModel* labels = nullptr);

  Factorization factorization() const override { return factorization_; }
  void prepare(std::span<const Sentence> sentences) override {
    sentences_ = sentences;
    keyed_sentence_.reset();
  }
  void score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) override;
  void score(std::size_t sentence, const PartIndex& parts, double factor, Potentials& potentials) override;
  std::span<const std::string> labels() const override;
  std::span<const Label> candidate_labels(std::size_t sentence, Arc arc) override;
  ArcLabels score_labels(int arc) override { return label_scorer_->score(arc); }

 private:
  Factorization factorization_;
  PartScorer pruner_;
  PartScorer parser_;
  const LabelModel* label_model_;
  std::optional<LabelScorer> label_scorer_;
  std::span<const Sentence> sentences_;
  std::optional<std::size_t> keyed_sentence_;  // that the keys are of
  ArcLabelKeys keys_;
  TupleIndex arc_tuples_;
  TupleIndex tuples_;
};

}  // namespace copse
