#include "model/feature_table.h"

namespace copse {

FeatureTable::FeatureTable(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> values)
    : size_(hashes.size()), filter_(hashes.size()) {
  // Two thirds full: most searches end in the line where they begin.
  std::size_t homes = hashes.size() + hashes.size() / 2 + 1;
  for (;; homes += homes / 4 + 1) {
    slots_.assign(homes + kSpill, Slot{0, 0});
    bool fits = true;
    for (std::size_t k = 0; k < hashes.size() && fits; ++k) {
      std::size_t slot = home(hashes[k]);
      while (slots_[slot].tag != 0) ++slot;
      fits = slot + 1 < slots_.size();
      if (fits) slots_[slot] = {tag(hashes[k]), values[k]};
    }
    if (fits) break;
  }
  for (const std::uint64_t hash : hashes) filter_.add(hash);
}

}  // namespace copse
