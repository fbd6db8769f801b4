#include "inference/span_layout.h"

#include <algorithm>

namespace copse {

void SpanLayout::assign(const PartIndex& parts, RootMode root, Tables& tables) {
  parts_ = &parts;
  words_ = parts.words();
  single_root_ = root == RootMode::single;
  // An operand may begin up to words_ lanes into its row and is read in whole packs.
  stride_ = round_up_to_pack(words_ + 1) + kPack;
  rows_ = static_cast<std::size_t>(stride_) * (words_ + 1);
  tables.weight_begin.resize(words_ + 1);
  weight_begin_ = tables.weight_begin.data();
  Offset begin = 0;
  for (int width = 1; width <= words_; ++width) {
    tables.weight_begin[width] = begin;
    begin += weight_stride(width) * slots(width);
  }
  weight_count_ = 2 * static_cast<std::size_t>(begin);
}

void SpanLayout::fill_values(double zero, double one, int /*widest*/, double* values) const {
  // Everything, because operands reach beyond the end of their row and meet what is written here.
  std::fill_n(values, item_count(), zero);
  for (const Side side : {Side::left, Side::right}) {
    std::fill_n(values + offset(complete_span(side, 0, 0)), words_ + 1, one);
  }
}

}  // namespace copse
