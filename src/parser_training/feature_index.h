#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_extractor.h"
#include "model/feature_table.h"
#include "parallel/task_pool.h"
#include "parser_training/training_set.h"

namespace copse {

// The features that get a weight, numbered by falling frequency: the weights that are needed most often are
// neighbours in memory.
struct FeatureIndex {
  std::vector<std::uint64_t> hashes;  // by number
  std::vector<std::uint32_t> counts;  // by number: how often it was seen
  FeatureTable numbers;

  std::size_t size() const { return numbers.size(); }
  // Makes `numbers` of `hashes`.
  void number_features();
  // Forgets all but the numbers, for the sake of memory.
  void forget_hashes() {
    hashes = {};
    counts = {};
  }
};

struct FeatureIndexOptions {
  int cutoff = 1;                   // features that are seen less often get no weight
  bool candidate_features = false;  // those of all candidate parts count, too; otherwise gold trees alone
};

// In a team, each process has its own sentences, and all get the same index.
FeatureIndex index_features(std::span<const TrainingSentence> sentences, const FeatureExtractor& extractor,
                            const FeatureIndexOptions& options, TaskPool& pool);

}  // namespace copse
