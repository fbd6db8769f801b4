#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_extractor.h"
#include "features/sentence_parts.h"
#include "model/hash_filter.h"

namespace copse {

// Prepares the features of all tuples of a sentence for being looked up. Most are not in the table, which is
// much larger than the caches: so they come in batches, absent ones are filtered out first, and the memory
// can be told what will be read before the first is needed. A workspace for one thread.
class HashBatches {
 public:
  // Calls use(hashes, lengths) for batches of tuples in the order of their numbers: the features that
  // `filter` lets through, tuple after tuple, and how many each has. See HashFilter::keep about lists and
  // slack.
  template <class Use>
  void for_each(const SentenceFeatures& features, const TupleIndex& tuples, const HashFilter& filter,
                Use use) {
    constexpr std::size_t kBatch = 1024;
    const auto finish_batch = [&] {
      const std::size_t slack = hashes_.size() + HashFilter::kSlack;
      hashes_.resize(slack);
      if (kept_.size() < slack) kept_.resize(slack);
      filter.keep(hashes_.data(), lengths_, kept_.data());
      use(static_cast<const std::uint64_t*>(kept_.data()), std::span<const int>(lengths_));
      hashes_.clear();
      lengths_.clear();
    };
    hashes_.clear();
    lengths_.clear();
    for_each_tuple(tuples, [&](Scope scope, const Tuple& tuple) {
      const std::size_t before = hashes_.size();
      features.append(scope, tuple, hashes_);
      lengths_.push_back(static_cast<int>(hashes_.size() - before));
      if (hashes_.size() >= kBatch) finish_batch();
    });
    finish_batch();
  }

 private:
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> kept_;
  std::vector<int> lengths_;  // per waiting tuple
};

}  // namespace copse
