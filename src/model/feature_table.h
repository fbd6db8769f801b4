#pragma once

#include <cstdint>
#include <span>

#include "memory/large_pages.h"
#include "model/hash_filter.h"

namespace copse {

// A number for every known feature. Features are known by their 64-bit hash, of which the table keeps enough
// (its place and 32 more bits) that a wrong match is a matter of one in billions.
//
// Open addressing with eight bytes per slot: a look-up touches one cache line, rarely two.
class FeatureTable {
 public:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

  FeatureTable() : FeatureTable(std::span<const std::uint64_t>(), std::span<const std::uint32_t>()) {}
  // Takes hashes that are all different, and a value for each.
  FeatureTable(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> values);

  FeatureTable(FeatureTable&&) = default;
  FeatureTable& operator=(FeatureTable&&) = default;

  // How many features there are.
  std::size_t size() const { return size_; }
  const HashFilter& filter() const { return filter_; }

  // Tells the memory that find(hash) will follow.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }

  // The value of a feature, or kAbsent.
  std::uint32_t find(std::uint64_t hash) const {
    const std::uint32_t wanted = tag(hash);
    for (const Slot* slot = &slots_[home(hash)];; ++slot) {
      if (slot->tag == wanted) return slot->value;
      if (slot->tag == 0) return kAbsent;
    }
  }

 private:
  struct Slot {
    std::uint32_t tag;  // 0: empty
    std::uint32_t value;
  };
  // The last slot is always empty: searches end there.
  std::size_t home(std::uint64_t hash) const {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(hash) * homes() >> 64);
  }
  std::size_t homes() const { return slots_.size() - kSpill; }
  static std::uint32_t tag(std::uint64_t hash) {
    const auto low = static_cast<std::uint32_t>(hash);
    return low == 0 ? 1 : low;
  }
  static constexpr std::size_t kSpill = 64;

  std::size_t size_;
  LargeVector<Slot> slots_;
  HashFilter filter_;
};

}  // namespace copse
