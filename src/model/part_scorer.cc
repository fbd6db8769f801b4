#include "copse/model/part_scorer.h"

#include <bit>

#include "copse/features/sentence_parts.h"

namespace copse {

void PartScorer::score(const Sentence& sentence, const TupleIndex& tuples, Potentials& potentials) {
  features_.assign(model_->extractor, sentence);
  scores_.resize(static_cast<std::size_t>(tuples.size()));
  const FeatureTable& weights = model_->weights;
  std::size_t scored = 0;
  // Weights lie all over the memory: a batch of them is fetched while the next features are computed.
  constexpr std::size_t kBatch = 512;
  const auto look_up = [&] {
    const std::uint64_t* hash = hashes_.data();
    for (const int length : lengths_) {
      float sum = 0.0F;
      for (const std::uint64_t* end = hash + length; hash != end; ++hash) {
        const std::uint32_t weight = weights.find(*hash);
        if (weight != FeatureTable::kAbsent) sum += std::bit_cast<float>(weight);
      }
      scores_[scored++] = sum;
    }
    hashes_.clear();
    lengths_.clear();
  };
  hashes_.clear();
  lengths_.clear();
  for_each_tuple(tuples, [&](Scope scope, const Tuple& tuple) {
    const std::size_t begin = hashes_.size();
    features_.append(scope, tuple, hashes_);
    for (std::size_t k = begin; k < hashes_.size(); ++k) weights.prefetch(hashes_[k]);
    lengths_.push_back(static_cast<int>(hashes_.size() - begin));
    if (hashes_.size() >= kBatch) look_up();
  });
  look_up();
  tuples.to_parts(scores_, potentials);
}

}  // namespace copse
