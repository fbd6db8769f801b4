#include "copse/model/feature_table.h"

#include <algorithm>

namespace copse {

FeatureTable::FeatureTable(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> values) {
  // Two thirds full: most searches end in the line where they begin.
  std::size_t homes = hashes.size() + hashes.size() / 2 + 1;
  for (;; homes += homes / 4 + 1) {
    own_.assign(homes + kSpill, Slot{0, 0});
    slots_ = own_;
    bool fits = true;
    for (std::size_t k = 0; k < hashes.size() && fits; ++k) {
      std::size_t slot = home(hashes[k]);
      while (own_[slot].tag != 0) ++slot;
      fits = slot + 1 < own_.size();
      if (fits) own_[slot] = {tag(hashes[k]), values[k]};
    }
    if (fits) break;
  }
  fill_filter();
}

FeatureTable::FeatureTable(std::span<const Slot> slots) : slots_(slots) { fill_filter(); }

void FeatureTable::fill_filter() {
  // Eight to sixteen bits per feature: about one in ten absent features gets through.
  constexpr int kFewestBits = 12;
  constexpr int kMostBits = 32;
  int bits = kFewestBits;
  while (bits < kMostBits && (std::size_t{1} << bits) < slots_.size() * 5) ++bits;
  filter_shift_ = 32 - bits;
  filter_.assign(std::size_t{1} << (bits - 6), 0);
  for (const Slot& slot : slots_) {
    if (slot.tag == 0) continue;
    const std::uint32_t bit = slot.tag >> filter_shift_;
    filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

std::optional<FeatureTable> FeatureTable::from_words(std::span<const std::uint32_t> words) {
  const std::span<const Slot> slots(reinterpret_cast<const Slot*>(words.data()), words.size() / 2);
  // Every search ends at an empty slot, so the last one must be empty.
  if (words.size() % 2 != 0 || slots.size() <= kSpill || slots.back().tag != 0) return std::nullopt;
  return FeatureTable(slots);
}

std::size_t FeatureTable::size() const {
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.tag != 0; }));
}

}  // namespace copse
