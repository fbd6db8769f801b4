#pragma once

#include <optional>
#include <span>
#include <vector>

#include "features/feature_extractor.h"
#include "parser_training/example.h"
#include "parser_training/feature_lists.h"

namespace copse {

// Measures weights on development data, quickly and often: features are listed once, while there is room.
class DevelopmentSet {
 public:
  // Borrows all of them; no labels unless the model is a joint one. The sentences' candidates are set. Lists
  // of features are kept in up to `most_bytes`. Not to be moved: examples borrow, too.
  DevelopmentSet(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
                 const FeatureIndex& index, const LabelIndex* labels, TreeSpace trees, TaskPool& pool,
                 std::size_t most_bytes);

  // The share of words with the right head, all words of the team counted.
  double uas(std::span<const float> weights);

 private:
  FeatureLists lists_;
  std::optional<LabelLists> labels_;
  std::vector<Example> examples_;  // by worker
  TaskPool* pool_;
};

}  // namespace copse
