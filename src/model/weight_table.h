#pragma once

#include <cstdint>
#include <span>

#include "memory/large_pages.h"
#include "model/hash_filter.h"
#include "model/rounded_weights.h"

namespace copse {

// The weights of features, to be looked up by many threads. A bucket is a line of the cache and holds up to
// 16 features, each with 20 bits of its hash and 12 bits for the weight; a search compares them all at once
// and rarely goes on to the next bucket.
class WeightTable {
 public:
  WeightTable() : WeightTable(RoundedWeights()) {}
  explicit WeightTable(const RoundedWeights& list);

  WeightTable(WeightTable&&) = default;
  WeightTable& operator=(WeightTable&&) = default;

  std::size_t size() const { return size_; }
  // What a sum of 1 stands for.
  double unit() const { return unit_; }
  // One feature alone: 0 if it has no weight.
  std::int32_t find(std::uint64_t hash) const;

  const HashFilter& filter() const { return filter_; }
  // Sets sums[k] to the sum over the k-th list of `hashes`, in units; see HashFilter::keep about lists.
  // Exact: the same on every machine.
  void sum(const std::uint64_t* hashes, std::span<const int> lengths, std::int64_t* sums) const;

  static constexpr std::size_t kBucket = 16;
  static constexpr int kTagBits = 20;

 private:
  LargeVector<std::uint32_t> slots_;  // code << 20 | tag; filled from the front of a bucket
  std::uint64_t buckets_;             // the spill behind them not counted
  int tag_shift_;
  double unit_;
  std::size_t size_;
  HashFilter filter_;
};

}  // namespace copse
