#pragma once

#include <cstdint>
#include <span>

#include "memory/large_pages.h"

namespace copse {

// Tells most absent features from present ones at a fraction of the cost of a look-up: one bit is read, of a
// bitmap that a cache can hold. A feature is known by the highest bits of its hash.
class HashFilter {
 public:
  // Contains nothing.
  HashFilter() : HashFilter(0) {}
  // With room for so many: about one in ten absent features gets through then.
  explicit HashFilter(std::size_t hashes);

  void add(std::uint64_t hash) {
    const std::uint64_t bit = hash >> shift_;
    words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  bool may_contain(std::uint64_t hash) const {
    const std::uint64_t bit = hash >> shift_;
    return (words_[bit / 64] >> (bit % 64) & 1) != 0;
  }

  // Copies the hashes that may be contained to `kept`, in order. `hashes` are lists one after the other;
  // `lengths` are the lists' lengths, and afterwards those of what is kept of them. Returns the total. Both
  // arrays have room for kSlack more numbers behind the last, which are read and written without effect.
  static constexpr std::size_t kSlack = 16;
  std::size_t keep(const std::uint64_t* hashes, std::span<int> lengths, std::uint64_t* kept) const;

 private:
  LargeVector<std::uint64_t> words_;
  int shift_;  // at least 32
};

}  // namespace copse
