#pragma once

#include <cstdint>
#include <vector>

#include "copse/features/feature_extractor.h"
#include "copse/features/tuple_index.h"
#include "copse/model/batched_lookup.h"
#include "copse/model/feature_table.h"

namespace copse {

// What scores the parts of a sentence: features, and a weight for each known one.
struct LinearModel {
  FeatureExtractor extractor;
  FeatureTable weights;  // of floats

  Factorization factorization() const { return extractor.factorization(); }
};

// Turns sentences into potentials. A workspace for one thread.
class PartScorer {
 public:
  // Borrows the model.
  explicit PartScorer(const LinearModel& model) : model_(&model) {}

  void score(const Sentence& sentence, const TupleIndex& tuples, Potentials& potentials);

 private:
  const LinearModel* model_;
  SentenceFeatures features_;
  BatchedLookup lookup_;
  std::vector<double> scores_;
};

}  // namespace copse
