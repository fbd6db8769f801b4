#include "inference/context_layout.h"

#include <algorithm>
#include <bit>

namespace copse {

template <Contexts kContexts>
void ContextLayout<kContexts>::assign(const PartIndex& parts, const UsedSpans& used, RootMode root,
                                      Tables& tables) {
  const ArcSet& arcs = parts.arcs();
  parts_ = &parts;
  words_ = parts.words();
  single_root_ = root == RootMode::single;
  has_all_spans_ = arcs.is_full();
  set_size_ = used.stride();
  choose_used(used);
  arcs_ = arcs.all().data();
  const std::size_t heads = static_cast<std::size_t>(words_) + 1;
  const std::size_t arc_count = static_cast<std::size_t>(arcs.size());
  const auto table = [](auto& memory, std::size_t size) {
    memory.resize(size);
    return memory.data();
  };
  Offset* row_size = table(tables.row_size, heads);
  Offset* complete_begin = table(tables.complete_begin, heads);
  Offset* incomplete_begin = table(tables.incomplete_begin, arc_count);
  Offset* under_begin = table(tables.under_begin, arc_count);
  Offset* weight_begin = table(tables.weight_begin, arc_count + 1);
  Offset* weight_row = table(tables.weight_row, arc_count);
  row_size_ = row_size;
  complete_begin_ = complete_begin;
  incomplete_begin_ = incomplete_begin;
  under_begin_ = under_begin;
  weight_begin_ = weight_begin;
  weight_row_ = weight_row;

  int* outgoing = table(tables.outgoing, 2 * heads + 1);
  outgoing_ = outgoing;
  has_siblings_ = has_siblings(parts.factorization());
  GrandparentRange* grandparents_of_arcs = table(tables.grandparents, arc_count);
  grandparents_ = grandparents_of_arcs;

  Offset end = 0;
  for (int head = 0; head <= words_; ++head) {
    outgoing[2 * head] = arcs.outgoing(head, Side::left).first;
    outgoing[2 * head + 1] = arcs.outgoing(head, Side::right).first;
    row_size[head] = round_up_to_pack(lane_count(head));
    complete_begin[head] = end;
    end += (words_ + 1) * row_size[head];
  }
  outgoing[2 * heads] = arcs.size();
  complete_count_ = end;
  weight_begin[0] = 0;
  largest_arc_ = 0;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    if constexpr (kParents) {
      grandparents_of_arcs[arc] = parts.grandparents(arcs_[arc].head, arcs_[arc].modifier);
    }
    incomplete_begin[arc] = end;
    end += row_size[arcs[arc].head] * (kAugmented ? 1 + slots(arc) : 1);
    under_begin[arc] = complete_begin[arcs[arc].modifier] + (kParents ? parts.grandparent_rank(arc) : 0);
    if constexpr (kOutermost) {
      weight_row[arc] = 1;
      weight_begin[arc + 1] = weight_begin[arc] + round_up_to_pack(slots(arc));
    } else {
      if constexpr (kContexts == Contexts::parents) {
        weight_row[arc] = grandparents(arc).size();
      } else {
        const LaneRange lanes = lanes_of_arc(arc);
        weight_row[arc] = lanes.last > lanes.first ? lanes.last - lanes.first : 0;
      }
      const Offset rows = kAugmented ? static_cast<Offset>(parts.pairs(arc)) : slots(arc);
      weight_begin[arc + 1] = weight_begin[arc] + weight_row[arc] * rows;
    }
    largest_arc_ =
        std::max(largest_arc_, static_cast<std::size_t>(weight_begin[arc + 1] - weight_begin[arc]));
  }
  weight_count_ = static_cast<std::size_t>(weight_begin[arcs.size()]);
  if constexpr (kContexts == Contexts::parents) largest_arc_ += 2 * kPack;
  cell_begin_ = end;
  if constexpr (kOutermost) end += round_up_to_pack(arcs.size());
  join_begin_ = end;
  Offset* join_of_arc = table(tables.join_of_arc, has_siblings_ ? arc_count : 0);
  for (int arc = 0; has_siblings_ && arc < arcs.size(); ++arc) {
    join_of_arc[arc] = join_begin_ + parts.begin(PartKind::sibling, arc);
  }
  join_of_arc_ = join_of_arc;
  joins_in_rows_ = kParents && has_siblings_ && arcs.is_full();
  if (joins_in_rows_) {
    Offset* join_base = table(tables.join_base, 2 * heads);
    for (int head = 0; head <= words_; ++head) {
      for (const Side side : {Side::left, Side::right}) {
        const int nearest = arcs.outgoing(head, side).first;
        join_base[2 * head + (side == Side::right ? 1 : 0)] =
            join_begin_ + (nearest < arcs.size() ? parts.begin(PartKind::sibling, nearest) : 0);
      }
    }
    join_base_ = join_base;
  }
  join_row_ = round_up_to_pack(join_begin_ + static_cast<Offset>(parts.count(PartKind::sibling)));
  // Operands that begin within a row are read in whole packs.
  item_count_ = static_cast<std::size_t>(join_row_ + (joins_in_rows_ ? round_up_to_pack(words_) : 0) + kPack);
}

template <Contexts kContexts>
void ContextLayout<kContexts>::choose_used(const UsedSpans& used) {
  marks_ = used.marks();
  lowest_mark_ = UsedSpans::kUsed;
  right_ends_ = used.used().right_ends;
  left_ends_ = used.used().left_ends;
  right_heads_ = used.used().right_heads;
  asked_ends_ = used.asked_ends();
}

template <Contexts kContexts>
void ContextLayout<kContexts>::choose_possible(const UsedSpans& used) {
  lowest_mark_ = UsedSpans::kPossible;
  right_ends_ = used.possible().right_ends;
  left_ends_ = used.possible().left_ends;
  right_heads_ = used.possible().right_heads;
  asked_ends_ = nullptr;
}

template <Contexts kContexts>
void ContextLayout<kContexts>::fill_values(double zero, double one, int widest, double* values) const {
  // Everything that rules read beyond the lanes they use must be a number. With
  // parents and joins by cell, they use whole packs of rows that have been
  // computed.
  const bool rows_alone = kContexts == Contexts::parents && !joins_in_rows_;
  if (!rows_alone) std::fill_n(values, complete_count_, zero);
  for (int head = 0; head <= words_; ++head) {
    double* row = values + complete_row(complete_span(Side::right, head, 0));
    const int lanes = lane_count(head);
    std::fill_n(row, lanes, one);
    if (rows_alone) std::fill(row + lanes, row + row_size_[head], zero);
  }
  fill_unused(zero, widest, values);
}

template <Contexts kContexts>
void ContextLayout<kContexts>::fill_unused(double zero, int widest, double* values) const {
  if (has_all_spans_) return;
  for (int head = 0; head <= words_; ++head) {
    const int first = head - std::min(widest, head);
    const int last = head + std::min(widest, words_ - head);
    for (int i = first / kBits; i <= last / kBits; ++i) {
      const Offset at = head * set_size_ + i;
      Bits empty = ~(left_ends_[at] | right_ends_[at]);
      if (asked_ends_ != nullptr) empty &= asked_ends_[at];
      if (i == first / kBits) empty &= ~Bits{0} << (first % kBits);
      if (i == last / kBits) empty &= ~Bits{0} >> (kBits - 1 - last % kBits);
      for (; empty != 0; empty &= empty - 1) {
        const Offset end = i * kBits + std::countr_zero(empty);
        std::fill_n(values + complete_begin_[head] + end * row_size_[head], row_size_[head], zero);
      }
    }
  }
  for (int arc = 0; arc < parts_->arcs().size(); ++arc) {
    if (is_used(arc)) continue;
    if constexpr (kOutermost) {
      values[cell_begin_ + arc] = zero;
    } else {
      const Offset rows = kAugmented ? 1 + parts_->slots(arc) : 1;
      std::fill_n(values + incomplete_begin_[arc], rows * row_size_[arcs_[arc].head], zero);
    }
  }
}

template class ContextLayout<Contexts::none>;
template class ContextLayout<Contexts::parents>;
template class ContextLayout<Contexts::parents_of_complete>;
template class ContextLayout<Contexts::parents_and_siblings>;

}  // namespace copse
