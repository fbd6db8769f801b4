#include "inference/context_layout.h"

#include <algorithm>

namespace copse {

template <bool kGrandparents>
void ContextLayout<kGrandparents>::assign(const PartIndex& parts, RootMode root) {
  parts_ = &parts;
  words_ = parts.words();
  single_root_ = root == RootMode::single;
  const ArcSet& arcs = parts.arcs();

  Offset end = 0;
  row_size_.resize(words_ + 1);
  complete_begin_.resize(words_ + 1);
  for (int head = 0; head <= words_; ++head) {
    row_size_[head] = round_up_to_pack(lane_count(head));
    complete_begin_[head] = end;
    end += (words_ + 1) * row_size_[head];
  }
  complete_count_ = end;
  incomplete_begin_.resize(arcs.size());
  under_begin_.resize(arcs.size());
  weight_begin_.resize(arcs.size() + 1);
  weight_row_.resize(arcs.size());
  weight_begin_[0] = 0;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const int head = arcs[arc].head;
    incomplete_begin_[arc] = end;
    end += row_size_[head];
    under_begin_[arc] = complete_begin_[arcs[arc].modifier] + lane(arc);
    const LaneRange lanes = lanes_of_arc(arc);
    weight_row_[arc] = lanes.last > lanes.first ? lanes.last - lanes.first : 0;
    weight_begin_[arc + 1] = weight_begin_[arc] + weight_row_[arc] * parts.slots(arc);
  }
  join_begin_ = end;
  joins_in_rows_ = kGrandparents && has_siblings(parts.factorization()) && arcs.is_full();
  join_row_size_ = round_up_to_pack(words_);
  const Offset pairs = static_cast<Offset>(words_) * (words_ + 1) / 2;
  const Offset joins = joins_in_rows_ ? pairs * join_row_size_ : static_cast<Offset>(parts.sibling_count());
  // Operands that begin within a row are read in whole packs.
  item_count_ = static_cast<std::size_t>(join_begin_ + joins + kPack);
}

template <bool kGrandparents>
void ContextLayout<kGrandparents>::fill_values(double zero, double one, double* values) const {
  // Everything that rules read beyond the lanes they use must be a number.
  std::fill_n(values, complete_count_, zero);
  for (int head = 0; head <= words_; ++head) {
    std::fill_n(values + complete_row(complete_span(Side::right, head, 0)), lane_count(head), one);
  }
}

template class ContextLayout<false>;
template class ContextLayout<true>;

}  // namespace copse
