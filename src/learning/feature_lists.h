#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/features/sentence_parts.h"
#include "copse/model/batched_lookup.h"
#include "learning/feature_index.h"

namespace copse {

// The numbered features of all tuples of a sentence, tuple after tuple.
struct FeatureList {
  std::vector<std::uint32_t> features;
  std::vector<std::uint16_t> lengths;  // per tuple: how many of the features are its own
};

// Makes feature lists: a workspace for one thread.
class FeatureLister {
 public:
  FeatureLister(const FeatureExtractor& extractor, const FeatureIndex& index)
      : extractor_(&extractor), index_(&index) {}

  // Overwrites `list`. Features without a number are left out.
  void list(const Sentence& sentence, const TupleIndex& tuples, FeatureList& list);

 private:
  const FeatureExtractor* extractor_;
  const FeatureIndex* index_;
  SentenceFeatures features_;
  BatchedLookup lookup_;
};

// The lists of a training set, kept from pass to pass because making them takes longer than all that is done
// with them in one pass.
std::vector<FeatureList> list_features(std::span<const TrainingSentence> sentences,
                                       const FeatureExtractor& extractor, const FeatureIndex& index,
                                       TaskPool& pool);

}  // namespace copse
