#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "copse/memory/large_pages.h"

namespace copse {

// A number for every known feature. Features are known by their 64-bit hash, of which the table keeps enough
// (its place and 32 more bits) that a wrong match is a matter of one in billions.
//
// Open addressing with eight bytes per slot: a look-up touches one cache line, rarely two. The slots can lie
// in a mapped file.
class FeatureTable {
 public:
  struct Slot {
    std::uint32_t tag;  // 0: empty
    std::uint32_t value;
  };
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

  FeatureTable() : FeatureTable(std::span<const std::uint64_t>(), std::span<const std::uint32_t>()) {}
  // Takes hashes that are all different, and a value for each.
  FeatureTable(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> values);
  // Borrows what words() of another table gave, from a file perhaps. Nothing if that cannot be a table.
  static std::optional<FeatureTable> from_words(std::span<const std::uint32_t> words);

  FeatureTable(FeatureTable&&) = default;
  FeatureTable& operator=(FeatureTable&&) = default;

  // The whole table as numbers, to be saved.
  std::span<const std::uint32_t> words() const {
    return {reinterpret_cast<const std::uint32_t*>(slots_.data()), slots_.size() * 2};
  }
  // How many features there are.
  std::size_t size() const;

  // False for most features that are not in the table, at a fraction of the cost of find(): one bit is read,
  // of a bitmap that a cache can hold.
  bool may_contain(std::uint64_t hash) const {
    const std::uint32_t bit = tag(hash) >> filter_shift_;
    return (filter_[bit / 64] >> (bit % 64) & 1) != 0;
  }
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

  explicit FeatureTable(std::span<const Slot> slots);
  void fill_filter();

  LargeVector<Slot> own_;
  std::span<const Slot> slots_;
  LargeVector<std::uint64_t> filter_;
  int filter_shift_ = 0;
};

}  // namespace copse
