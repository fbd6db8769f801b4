// Compiled once per SIMD target: no include guard of the usual kind. See sweep.h.
#if defined(COPSE_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_SWEEP_INL_H_
#undef COPSE_SWEEP_INL_H_
#else
#define COPSE_SWEEP_INL_H_
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <span>

#include "inference/arc_transfer-inl.h"
#include "inference/lanes-inl.h"
#include "inference/part_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls f(word) for the words of a set that are in [first, last), from the last one to the first, or upwards.
template <bool kUpwards, class F>
COPSE_INLINE void for_each_word(const Bits* set, int first, int last, F&& f) {
  if (first >= last) return;
  const int lowest = first / kBits;
  const int highest = (last - 1) / kBits;
  for (int i = 0; i <= highest - lowest; ++i) {
    const int number = kUpwards ? lowest + i : highest - i;
    Bits bits = set[number];
    if (number == lowest) bits &= ~Bits{0} << (first % kBits);
    if (number == highest) bits &= ~Bits{0} >> (kBits - 1 - (last - 1) % kBits);
    while (bits != 0) {
      const int bit = kUpwards ? std::countr_zero(bits) : kBits - 1 - std::countl_zero(bits);
      bits ^= Bits{1} << bit;
      f(number * kBits + bit);
    }
  }
}

// What both directions share: which rules there are, in which order, and where their operands lie.
template <class Rules, class Layout, Semiring kSemiring>
class Sweep {
 protected:
  // Items are rows by parent, and parts are, too.
  static constexpr bool kPartRows = Layout::kItemContexts == Contexts::parents;
  static constexpr bool kJoinsByPair = Rules::kSiblings || Layout::kSharedJoins;
  using Full = hn::CappedTag<double, kPack>;
  using One = hn::CappedTag<double, 1>;
  // Enough independent sums in flight to hide latency; logs and exponentials need the registers themselves.
#ifdef COPSE_SANITIZED
  static constexpr int kUnroll = 1;
#else
  // Code without vectors is for old machines; unrolled, it would be a third of the compiler's work here.
  static constexpr bool kIsScalar = HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128;
  static constexpr int kUnroll = kSemiring == Semiring::log || kIsScalar ? 1 : 4;
#endif

  Sweep(const Layout& layout, const Chart& chart) : layout_(layout), chart_(chart) {}

  // The arcs to a word from the left, nearest last.
  COPSE_INLINE std::span<const int> arcs_from_left(int right) const {
    const std::span<const int> incoming = layout_.parts().arcs().incoming(right);
    std::size_t count = 0;
    while (count < incoming.size() && layout_.arc(incoming[count]).head < right) ++count;
    return incoming.first(count);
  }
  // The rows of right spans with the same end lie far apart, and a rule reads any of them. They are asked for
  // while the neighbouring end is at work; in a long sentence memory would be waited for otherwise.
  COPSE_INLINE void prefetch(const double* numbers, int left, int right) const {
    if constexpr (!Layout::kSharedJoins) {
      if (!layout_.is_large() || left >= right || right > layout_.words()) return;
      hwy::Prefetch(numbers + layout_.at(Same{complete_span(Side::right, left, right - left)}).offset);
    }
  }
  COPSE_INLINE bool has_joins() const { return kJoinsByPair && layout_.joins_in_rows(); }

  template <class F>
  COPSE_INLINE void for_lanes(const LaneRange& range, F&& f) const {
    const Full d;
    const std::ptrdiff_t step = hn::Lanes(d);
    std::ptrdiff_t lane = range.first;
    if constexpr (kUnroll > 1) {
      for (; lane + 4 * step <= range.last; lane += 4 * step) f(Lanes<Full, 4>{d, chart_, lane, range.first});
      const std::ptrdiff_t rest = range.last - lane;
      if (rest == 3 * step) return f(Lanes<Full, 3>{d, chart_, lane, range.first});
      if (rest == 2 * step) return f(Lanes<Full, 2>{d, chart_, lane, range.first});
    }
    for (; lane < range.last; lane += step) f(Lanes<Full, 1>{d, chart_, lane, range.first});
  }
  template <class F>
  COPSE_INLINE void for_one(F&& f) const {
    f(Lanes<One, 1>{One(), chart_, 0, 0});
  }

  // The weights of the parts that end in an arc, by slot or pair.
  struct WeightRows {
    double* first;
    std::ptrdiff_t stride;
    COPSE_INLINE WeightRow operator[](std::ptrdiff_t row) const { return {first + row * stride}; }
  };
  template <Side side>
  COPSE_INLINE WeightRows weights_of_arc(int head, int width, int arc) const {
    if constexpr (Layout::kSharedJoins) {
      return {chart_.weights + layout_.weight(side, head, width, 0), layout_.weight_stride(width)};
    } else {
      return {chart_.weights + (chart_.weights_kept ? layout_.weight_begin(arc) : 0),
              layout_.weight_row(arc)};
    }
  }
  // Places them, where they have not been placed beforehand.
  template <Side side>
  COPSE_INLINE WeightRows place_weights(int head, int width, int arc, int next_arc) const {
    if constexpr (kPartRows) {
      const PartRows rows(layout_, arc);
      double* kept = chart_.weights_kept && rows.has_room() ? rows.block(*chart_.marginals) : nullptr;
      return rows_at(
          rows, rows.place(*chart_.source, chart_.highest, chart_.weights, kept, next_potentials(next_arc)));
    } else {
      const WeightRows rows = weights_of_arc<side>(head, width, arc);
      if constexpr (!Layout::kSharedJoins) {
        ArcTransfer(layout_, arc).place(*chart_.source, chart_.highest, rows.first);
      }
      return rows;
    }
  }
  // The lanes that a row of parts has.
  COPSE_INLINE LaneRange valid_lanes(int arc) const {
    if constexpr (kPartRows) {
      const GrandparentRange range = layout_.grandparents(arc);
      return {range.first, range.last};
    }
    return {0, 0};
  }
  COPSE_INLINE static WeightRows rows_at(const PartRows& rows, double* first) {
    return {rows.first_vector(first), rows.stride()};
  }
  COPSE_INLINE const double* next_potentials(int next_arc) const {
    if (next_arc == ArcSet::kNone) return chart_.weights;
    return Rules::kSiblings
               ? chart_.source->potentials.of_arc(layout_.parts(), PartKind::grandsibling, next_arc)
               : chart_.source->potentials.of_arc(layout_.parts(), PartKind::grandchild, next_arc);
  }
  template <Side side, class Term>
  COPSE_INLINE void complete_terms(int head, int width, Term&& term) const {
    Rules::template complete<side>(layout_, head, width,
                                   [&](auto... operands) COPSE_TERM { term(layout_.at(operands)...); });
  }
  template <Side side, class Term>
  COPSE_INLINE void incomplete_terms(int head, int width, int arc, const WeightRows& weights,
                                     Term&& term) const {
    if constexpr (Rules::kSiblings && !Rules::kAugmented) {
      slot_terms<side>(head, width, arc,
                       [&](int slot, auto... operands) COPSE_TERM { term(operands..., weights[slot]); });
    } else {
      Rules::template incomplete<side>(layout_, head, width, arc,
                                       [&](auto... operands) COPSE_TERM { term(layout_.at(operands)...); });
    }
  }
  // Each slot is a term, whose weight is still to be multiplied.
  template <Side side, class Term>
  COPSE_INLINE void slot_terms(int head, int width, int arc, Term&& term) const {
    Rules::template incomplete<side>(layout_, head, width, arc, [&](int slot, auto... operands) COPSE_TERM {
      term(slot, layout_.at(operands)...);
    });
  }
  template <Side side, class Term>
  COPSE_INLINE void augmented_terms(int head, int width, int arc, int slot, const WeightRows& weights,
                                    Term&& term) const {
    Rules::template augmented<side>(layout_, head, width, arc, slot,
                                    [&](int second, auto... operands) COPSE_TERM {
                                      term(layout_.at(operands)..., weights[PartIndex::pair(slot, second)]);
                                    });
  }
  // All lanes of a pair of neighbouring siblings (or, without siblings, of head and modifier) at once.
  template <class Term>
  COPSE_INLINE void join_row_terms(int left, int width, Term&& term) const {
    // The same head stands `width` lanes later in the row of the left word than in that of the right one.
    const std::ptrdiff_t shift = Layout::kSharedJoins ? 0 : width;
    Rules::join(AllMiddles{width}, left, width, [&](const Span& a, const Span& b) COPSE_TERM {
      term(RowOperand{layout_.at(Same{a}).offset + shift}, layout_.at(Same{b}));
    });
  }
  // Calls f(lane, offset) for the joins of a row, with the place where each of them is used.
  template <class F>
  COPSE_INLINE void for_each_join_of_row(int left, int width, F&& f) const {
    const int right = left + width;
    int lane = 0;
    for (int head = right + 1; head <= layout_.words(); ++head) {
      f(lane++, layout_.join_under(head, Side::left, head - right, head - left));
    }
    for (int head = 0; head < left; ++head) {
      f(lane++, layout_.join_under(head, Side::right, left - head, right - head));
    }
  }
  // The join of two modifiers of one head.
  template <class Term>
  COPSE_INLINE void join_cell_terms(const Span& join, int left_arc, int right_arc, Term&& term) const {
    Rules::join(layout_.middles(join.left, join.width), join.left, join.width,
                [&](const Span& a, const Span& b) COPSE_TERM {
                  term(layout_.at(Under{a, left_arc}), layout_.at(Under{b, right_arc}));
                });
  }
  // Calls f(join, arc of its left end, arc of its right end, cell) for all inner siblings of an arc.
  template <Side side, class F>
  COPSE_INLINE void for_each_join_cell(int head, int width, int arc, F&& f) const {
    const int modifier = beyond(side, head, width);
    Rules::template for_each_sibling<side>(
        layout_, head, width, arc, [&](int slot, int inner, int distance) COPSE_TERM {
          const int left = side == Side::right ? beyond(side, head, distance) : modifier;
          const Span join = join_span(left, width - distance);
          f(join, side == Side::right ? inner : arc, side == Side::right ? arc : inner,
            layout_.at(Between{join, arc, slot}));
        });
  }
  // Copies, and not references: what a store may change would be loaded again after every store.
  const Layout layout_;
  const Chart chart_;
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
