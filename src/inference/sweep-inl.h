// Compiled once per SIMD target: no include guard of the usual kind. See sweep.h.
#if defined(COPSE_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_SWEEP_INL_H_
#undef COPSE_SWEEP_INL_H_
#else
#define COPSE_SWEEP_INL_H_
#endif

#include <hwy/cache_control.h>

#include "inference/arc_transfer-inl.h"
#include "inference/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What both directions share: which rules there are, in which order, and where their operands lie.
template <class Rules, class Layout, Semiring kSemiring>
class Sweep {
 protected:
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

  // Calls f(left end, width), every span after all spans within it, or (not kUpwards) before them. The spans
  // of a width are one block where they are lanes. Otherwise by right end, then from right to left: what a
  // span reads has then been read for the span before it, too, and is still in the cache.
  template <bool kUpwards, class F>
  COPSE_INLINE void for_each_block(F&& f) const {
    const int words = layout_.words();
    const int widest = kUpwards && chart_.widest < words ? chart_.widest : words;
    const int spans = Layout::kSharedJoins ? widest : widest * words - widest * (widest - 1) / 2;
    int left = 0;
    int right = kUpwards ? 1 : words;
    for (int i = 0; i < spans; ++i) {
      f(left, right - left);
      if constexpr (Layout::kSharedJoins) {
        right += kUpwards ? 1 : -1;
      } else if (kUpwards) {
        if (left-- == 0 || right - left > widest) left = right++;
      } else {
        if (++left == right) {
          --right;
          left = 0;
        }
      }
    }
  }
  // The rows of right spans with the same end lie far apart, and a rule reads any of them. They are asked for
  // while the neighbouring end is at work; in a long sentence memory would be waited for otherwise.
  COPSE_INLINE void prefetch(const double* numbers, int left, int right) const {
    if constexpr (!Layout::kSharedJoins) {
      if (left >= right || right > layout_.words()) return;
      hwy::Prefetch(numbers + layout_.at(Same{complete_span(Side::right, left, right - left)}).offset);
    }
  }
  COPSE_INLINE bool has_join(int left) const {
    return kJoinsByPair && layout_.joins_in_rows() && left >= Layout::kFirstJoin;
  }

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

  template <Side side>
  COPSE_INLINE WeightRow weight(int head, int width, int arc, int slot) const {
    if constexpr (Layout::kSharedJoins) {
      return {chart_.weights + layout_.weight(side, head, width, slot)};
    } else {
      return {weights_of_arc(arc) + slot * layout_.weight_row(arc)};
    }
  }
  COPSE_INLINE double* weights_of_arc(int arc) const {
    return chart_.weights + (chart_.weights_kept ? layout_.weight_begin(arc) : 0);
  }
  COPSE_INLINE void place_weights_of_arc(int arc) const {
    if constexpr (!Layout::kSharedJoins) {
      ArcTransfer(layout_, arc).place(*chart_.source, chart_.highest, weights_of_arc(arc));
    }
  }
  template <Side side, class Term>
  COPSE_INLINE void complete_terms(int head, int width, Term&& term) const {
    Rules::template complete<side>(layout_, head, width,
                                   [&](auto... operands) COPSE_TERM { term(layout_.at(operands)...); });
  }
  template <Side side, class Term>
  COPSE_INLINE void incomplete_terms(int head, int width, int arc, Term&& term) const {
    if constexpr (Rules::kSiblings && !Rules::kAugmented) {
      Rules::template incomplete<side>(layout_, head, width, arc, [&](int slot, auto... operands) COPSE_TERM {
        term(layout_.at(operands)..., this->template weight<side>(head, width, arc, slot));
      });
    } else {
      Rules::template incomplete<side>(layout_, head, width, arc,
                                       [&](auto... operands) COPSE_TERM { term(layout_.at(operands)...); });
    }
  }
  template <Side side, class Term>
  COPSE_INLINE void augmented_terms(int head, int width, int arc, int slot, Term&& term) const {
    Rules::template augmented<side>(
        layout_, head, width, arc, slot, [&](int second, auto... operands) COPSE_TERM {
          const int pair = static_cast<int>(PartIndex::pair(slot, second));
          term(layout_.at(operands)..., this->template weight<side>(head, width, arc, pair));
        });
  }
  // All lanes of a pair of neighbouring siblings (or, without siblings, of head and modifier) at once.
  template <class Term>
  COPSE_INLINE void join_row_terms(int left, int width, Term&& term) const {
    // The same head stands `width` lanes later in the row of the left word than in that of the right one.
    const std::ptrdiff_t shift = Layout::kSharedJoins ? 0 : width;
    Rules::join(left, width, [&](const Span& a, const Span& b) COPSE_TERM {
      term(RowOperand{layout_.at(Same{a}).offset + shift}, layout_.at(Same{b}));
    });
  }
  // The join of two modifiers of one head.
  template <class Term>
  COPSE_INLINE void join_cell_terms(const Span& join, int left_arc, int right_arc, Term&& term) const {
    Rules::join(join.left, join.width, [&](const Span& a, const Span& b) COPSE_TERM {
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
