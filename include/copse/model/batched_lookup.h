#pragma once

#include <cstdint>
#include <vector>

#include "copse/features/feature_extractor.h"
#include "copse/features/sentence_parts.h"
#include "copse/model/feature_table.h"

namespace copse {

// Looks up the features of all tuples of a sentence. Most are not in the table, which is much larger than the
// caches: so features wait for each other in batches, absent ones are filtered out, and the memory gets to
// know all that will be read before the first is needed. A workspace for one thread.
class BatchedLookup {
 public:
  // Calls begin_tuple() for every tuple in the order of their numbers, and found(value) for each of its
  // features that is in the table.
  template <class BeginTuple, class Found>
  void look_up(const SentenceFeatures& features, const TupleIndex& tuples, const FeatureTable& table,
               BeginTuple begin_tuple, Found found) {
    const auto finish_batch = [&] {
      filter(table);
      const std::uint64_t* hash = hashes_.data();
      for (const int length : lengths_) {
        begin_tuple();
        for (const std::uint64_t* end = hash + length; hash != end; ++hash) {
          const std::uint32_t value = table.find(*hash);
          if (value != FeatureTable::kAbsent) found(value);
        }
      }
      hashes_.clear();
      lengths_.clear();
    };
    constexpr std::size_t kBatch = 1024;
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
  // Keeps the features that may be in the table. Written without branches, which nobody could predict.
  void filter(const FeatureTable& table) {
    std::uint64_t* kept = hashes_.data();
    const std::uint64_t* hash = hashes_.data();
    for (int& length : lengths_) {
      const std::uint64_t* first = kept;
      for (const std::uint64_t* end = hash + length; hash != end; ++hash) {
        const std::uint64_t current = *hash;
        *kept = current;
        kept += table.may_contain(current) ? 1 : 0;
      }
      length = static_cast<int>(kept - first);
    }
    for (const std::uint64_t* next = hashes_.data(); next != kept; ++next) table.prefetch(*next);
  }

  std::vector<std::uint64_t> hashes_;
  std::vector<int> lengths_;  // per waiting tuple
};

}  // namespace copse
