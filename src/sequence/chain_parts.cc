#include "sequence/chain_parts.h"

#include <stdexcept>

namespace copse {

void ChainParts::assign(int order, std::span<const int> candidates) {
  if (order < 0 || order > kMostOrder) throw std::invalid_argument("the order of a chain is 0, 1 or 2");
  order_ = order;
  positions_.clear();
  labels_ = pairs_ = triples_ = 0;
  std::size_t before_that = 1;
  std::size_t before = 1;
  for (const int count : candidates) {
    if (count < 1) throw std::invalid_argument("a position without candidate labels");
    positions_.push_back({count, labels_, pairs_, triples_});
    const auto here = static_cast<std::size_t>(count);
    labels_ += here;
    pairs_ += before * here;
    triples_ += before_that * before * here;
    before_that = before;
    before = here;
  }
}

void ChainValues::assign(const ChainParts& parts) {
  labels.assign(parts.labels(), 0.0);
  pairs.assign(parts.pairs(), 0.0);
  triples.assign(parts.triples(), 0.0);
}

}  // namespace copse
