// The inner loops of looking features up, for the vectors of this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

struct FilterView {
  const std::uint64_t* words;
  int shift;
};

// See HashFilter::keep.
std::size_t keep_possible(FilterView filter, const std::uint64_t* hashes, std::span<int> lengths,
                          std::uint64_t* kept);

struct WeightTableView {
  const std::uint32_t* slots;
  std::uint64_t buckets;
  int tag_shift;
};

inline std::uint64_t bucket_of(std::uint64_t hash, std::uint64_t buckets) {
  return (hash >> 32) * buckets >> 32;
}

// See WeightTable::sum.
void sum_weights(WeightTableView table, const std::uint64_t* hashes, std::span<const int> lengths,
                 std::int64_t* sums);

}  // namespace copse
