#pragma once

#include <cstdint>
#include <vector>

#include "features/tuple_index.h"
#include "model/hash_batches.h"
#include "model/linear_model.h"

namespace copse {

// Turns sentences into potentials. A workspace for one thread.
class PartScorer {
 public:
  // Borrows the model.
  explicit PartScorer(const LinearModel& model) : model_(&model) {}

  void score(const Sentence& sentence, const TupleIndex& tuples, Potentials& potentials);

 private:
  const LinearModel* model_;
  SentenceFeatures features_;
  HashBatches batches_;
  std::vector<std::int64_t> sums_;
  std::vector<double> scores_;
};

}  // namespace copse
