#include "copse/model/feature_table.h"

#include <stdexcept>

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
    if (fits) return;
  }
}

}  // namespace copse
