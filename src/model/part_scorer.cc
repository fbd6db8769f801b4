#include "model/part_scorer.h"

namespace copse {

void PartScorer::score(const Sentence& sentence, const TupleIndex& tuples, Potentials& potentials) {
  const WeightTable& weights = model_->weights();
  features_.assign(model_->extractor(), sentence);
  scores_.clear();
  batches_.for_each(features_, tuples, weights.filter(),
                    [&](const std::uint64_t* hashes, std::span<const int> lengths) {
                      sums_.resize(lengths.size());
                      weights.sum(hashes, lengths, sums_.data());
                      for (const std::int64_t sum : sums_) {
                        scores_.push_back(static_cast<double>(sum) * weights.unit());
                      }
                    });
  tuples.to_parts(scores_, potentials);
}

}  // namespace copse
