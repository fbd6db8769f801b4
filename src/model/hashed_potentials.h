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
  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) override {
    batch.sentences.assign(sentences.begin(), sentences.end());
  }
  void assign(PreparedSentence sentence) override {
    sentence_ = &sentence.sentence();
    has_keys_ = false;
  }
  void score_arcs(const PartIndex& arcs, Potentials& potentials) override;
  void score(const PartIndex& parts, double factor, Potentials& potentials) override;
  std::span<const std::string> labels() const override;
  std::span<const Label> candidate_labels(Arc arc) override;
  ArcLabels score_labels(int arc) override { return label_scorer_->score(arc); }

 private:
  Factorization factorization_;
  PartScorer pruner_;
  PartScorer parser_;
  const LabelModel* label_model_;
  std::optional<LabelScorer> label_scorer_;
  const Sentence* sentence_ = nullptr;
  bool has_keys_ = false;
  ArcLabelKeys keys_;  // of the sentence
  TupleIndex arc_tuples_;
  TupleIndex tuples_;
};

}  // namespace copse
