// Sums and maxima, from small spans to large ones. Compiled once per SIMD target, see recursion-inl.h.
#if defined(COPSE_INSIDE_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_INSIDE_SWEEP_INL_H_
#undef COPSE_INSIDE_SWEEP_INL_H_
#else
#define COPSE_INSIDE_SWEEP_INL_H_
#endif

#include "inference/sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Rules, class Layout, Semiring kSemiring>
class InsideSweep : Sweep<Rules, Layout, kSemiring> {
  using Base = Sweep<Rules, Layout, kSemiring>;
  using Base::chart_;
  using Base::layout_;

 public:
  InsideSweep(const Layout& layout, const Chart& chart) : Base(layout, chart) {}

  COPSE_INLINE void run() const {
    if (chart_.is_filled) {
      layout_.fill_unused(zero_of(kSemiring), chart_.widest, chart_.values);
    } else {
      layout_.fill_values(zero_of(kSemiring), one_of(kSemiring), chart_.widest, chart_.values);
    }
    if constexpr (Rules::kOutermost) {
      for (int arc = 0; arc < layout_.parts().arcs().size(); ++arc) {
        ArcTransfer(layout_, arc)
            .place_outermost(*chart_.source, chart_.highest,
                             chart_.values + layout_.at(Outermost{arc}).offset);
      }
    }
    const int words = layout_.words();
    if constexpr (Layout::kSharedJoins) {
      // All spans of a width are lanes of one row, and all arcs of a distance.
      for (int width = 1; width <= std::min(words, chart_.widest); ++width) {
        join(0, width);
        incomplete<Side::right>(0, width, 0, ArcSet::kNone);
        incomplete<Side::left>(width, width, 0, ArcSet::kNone);
        complete<Side::right>(0, width);
        complete<Side::left>(width, width);
      }
    } else {
      for (int right = 1; right <= words; ++right) {
        const int farthest = std::max(0, right - chart_.widest);
        spans_to_the_left(right, farthest);
        if (this->has_joins()) {
          for (int left = right - 1; left >= std::max(farthest, Layout::kFirstJoin); --left) {
            join(left, right - left);
          }
        }
        arcs_from_the_left(right, farthest);
        spans_from_the_left(right, farthest);
      }
    }
  }

 private:
  // Spans are built after all spans within them: by right end, then from right to left. What a span reads has
  // then been read for the span before it, too, and is still in the cache.
  COPSE_INLINE void spans_to_the_left(int right, int farthest) const {
    const ArcSet::Range arcs = layout_.outgoing(right, Side::left);
    int from = right;
    for (int arc = arcs.first;; ++arc) {
      const int modifier = arc < arcs.last ? layout_.arc(arc).modifier : -1;
      const int next = std::max(modifier + 1, farthest);
      for_each_word<false>(layout_.left_ends(right), next, from,
                           [&](int end) COPSE_TERM { complete<Side::left>(right, right - end); });
      if (modifier < farthest) return;
      incomplete<Side::left>(right, right - modifier, arc, arc + 1 < arcs.last ? arc + 1 : ArcSet::kNone);
      from = next;
    }
  }
  COPSE_INLINE void arcs_from_the_left(int right, int farthest) const {
    const std::span<const int> arcs = this->arcs_from_left(right);
    for (std::size_t i = arcs.size(); i > 0; --i) {
      const int head = layout_.arc(arcs[i - 1]).head;
      if (head < farthest) break;
      incomplete<Side::right>(head, right - head, arcs[i - 1], i > 1 ? arcs[i - 2] : ArcSet::kNone);
    }
  }
  COPSE_INLINE void spans_from_the_left(int right, int farthest) const {
    for_each_word<false>(layout_.right_heads(right), farthest, right, [&](int left) COPSE_TERM {
      this->prefetch(chart_.values, left, right + 1);
      complete<Side::right>(left, right - left);
    });
  }

  template <class LanesType>
  static COPSE_INLINE void store(const LanesType& lanes, RowOperand row, int v, typename LanesType::V x) {
    hn::StoreU(x, lanes.d, lanes.chart.values + row.offset + lanes.at(v));
  }
  template <class D, class V>
  static COPSE_INLINE V times(D /*d*/, V a, V b) {
    return kSemiring == Semiring::linear ? hn::Mul(a, b) : hn::Add(a, b);
  }

  template <class EachTerm>
  COPSE_INLINE void sum_cell(std::ptrdiff_t cell, EachTerm&& each_term) const {
    this->for_one([&](auto lanes) COPSE_TERM {
      typename decltype(lanes)::V sum[1];
      sum_terms<kSemiring>(lanes, sum, each_term);
      chart_.values[cell] = hn::GetLane(sum[0]);
    });
  }
  template <class EachTerm>
  COPSE_INLINE void sum_row(RowOperand row, const LaneRange& range, EachTerm&& each_term) const {
    this->for_lanes(range, [&](auto lanes) COPSE_TERM {
      typename decltype(lanes)::V sum[decltype(lanes)::kCount];
      sum_terms<kSemiring>(lanes, sum, each_term);
      for (int v = 0; v < decltype(lanes)::kCount; ++v) store(lanes, row, v, sum[v]);
    });
  }

  COPSE_INLINE void join(int left, int width) const {
    sum_row(layout_.join_row(left, width), layout_.join_lanes(width),
            [&](auto term) COPSE_TERM { this->join_row_terms(left, width, term); });
    if constexpr (!Layout::kSharedJoins) {
      const double* row = chart_.values + layout_.join_row(left, width).offset;
      this->for_each_join_of_row(
          left, width, [&](int lane, std::ptrdiff_t join) COPSE_TERM { chart_.values[join] = row[lane]; });
    }
  }

  template <Side side>
  COPSE_INLINE void incomplete(int head, int width, int arc, int next_arc) const {
    if (!layout_.is_used(arc)) return;
    if (Rules::kSiblings && !layout_.joins_in_rows()) {
      this->template for_each_join_cell<side>(
          head, width, arc, [&](const Span& join, int left_arc, int right_arc, auto cell) COPSE_TERM {
            sum_cell(cell.offset,
                     [&](auto term) COPSE_TERM { this->join_cell_terms(join, left_arc, right_arc, term); });
          });
    }
    const typename Base::WeightRows weights = this->template place_weights<side>(head, width, arc, next_arc);
    const Span span = incomplete_span(side, head, width);
    const auto each_term = [&](auto term) COPSE_TERM {
      this->template incomplete_terms<side>(head, width, arc, weights, term);
    };
    if constexpr (Rules::kOutermost) {
      sum_cell(layout_.at(Alone{span, arc}).offset, each_term);
    } else {
      if constexpr (Rules::kAugmented) {
        const int slots = layout_.slots(arc);
        for (int slot = 0; slot < slots; ++slot) {
          sum_row(layout_.at(Augmented{span, arc, slot}), layout_.lanes(span), [&](auto term) COPSE_TERM {
            this->template augmented_terms<side>(head, width, arc, slot, weights, term);
          });
        }
      }
      const RowOperand out = layout_.at(Same{span, arc});
      const LaneRange valid = this->valid_lanes(arc);
      this->for_lanes(layout_.lanes(span), [&](auto lanes) COPSE_TERM {
        typename decltype(lanes)::V sum[decltype(lanes)::kCount];
        sum_terms<kSemiring>(lanes, sum, each_term);
        for (int v = 0; v < decltype(lanes)::kCount; ++v) {
          if constexpr (!Rules::kSiblings) sum[v] = times(lanes.d, sum[v], lanes.load(weights[0], v));
          // Rows of parts have no gaps: vectors reach into the neighbouring ones.
          if constexpr (Base::kPartRows) {
            sum[v] = hn::IfThenElse(lanes.within(valid, v), sum[v], hn::Set(lanes.d, zero_of(kSemiring)));
          }
          store(lanes, out, v, sum[v]);
        }
      });
    }
  }

  template <Side side>
  COPSE_INLINE void complete(int head, int width) const {
    const Span span = complete_span(side, head, width);
    const RowOperand out = layout_.at(Same{span});
    const bool masked = layout_.has_closed_lanes(span);
    const LaneRange open = layout_.open_lanes(span);
    this->for_lanes(layout_.lanes(span), [&](auto lanes) COPSE_TERM {
      typename decltype(lanes)::V sum[decltype(lanes)::kCount];
      sum_terms<kSemiring>(
          lanes, sum, [&](auto term) COPSE_TERM { this->template complete_terms<side>(head, width, term); });
      for (int v = 0; v < decltype(lanes)::kCount; ++v) {
        if (masked) {
          sum[v] = hn::IfThenElse(lanes.within(open, v), sum[v], hn::Set(lanes.d, zero_of(kSemiring)));
        }
        store(lanes, out, v, sum[v]);
      }
    });
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
