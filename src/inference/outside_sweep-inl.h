// The adjoint of the sums, from large spans to small ones. Compiled once per SIMD target, see
// recursion-inl.h.
#if defined(COPSE_OUTSIDE_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_OUTSIDE_SWEEP_INL_H_
#undef COPSE_OUTSIDE_SWEEP_INL_H_
#else
#define COPSE_OUTSIDE_SWEEP_INL_H_
#endif

#include <algorithm>
#include <tuple>

#include "inference/sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Rules, class Layout, Semiring kSemiring>
class OutsideSweep : Sweep<Rules, Layout, kSemiring> {
  using Base = Sweep<Rules, Layout, kSemiring>;
  using Base::chart_;
  using Base::kPartRows;
  using Base::layout_;

 public:
  OutsideSweep(const Layout& layout, const Chart& chart) : Base(layout, chart) {}

  COPSE_INLINE void run() const {
    const int words = layout_.words();
    if constexpr (Layout::kSharedJoins) {
      for (int width = words; width >= 1; --width) {
        complete<Side::right>(0, width);
        complete<Side::left>(width, width);
        incomplete<Side::right>(0, width, 0, ArcSet::kNone);
        incomplete<Side::left>(width, width, 0, ArcSet::kNone);
        join(0, width);
      }
    } else {
      for (int right = words; right >= 1; --right) {
        spans_from_the_left(right);
        arcs_from_the_left(right);
        if (this->has_joins()) {
          for (int left = Layout::kFirstJoin; left < right; ++left) join(left, right - left);
        }
        spans_to_the_left(right);
      }
    }
  }

 private:
  // The way of the sums back.
  COPSE_INLINE void spans_from_the_left(int right) const {
    for_each_word<true>(layout_.right_heads(right), 0, right, [&](int left) COPSE_TERM {
      this->prefetch(chart_.values, left, right - 1);
      this->prefetch(chart_.adjoints, left, right - 1);
      complete<Side::right>(left, right - left);
    });
  }
  COPSE_INLINE void arcs_from_the_left(int right) const {
    const std::span<const int> arcs = this->arcs_from_left(right);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const int head = layout_.arc(arcs[i]).head;
      incomplete<Side::right>(head, right - head, arcs[i], i + 1 < arcs.size() ? arcs[i + 1] : ArcSet::kNone);
    }
  }
  COPSE_INLINE void spans_to_the_left(int right) const {
    const ArcSet::Range arcs = layout_.outgoing(right, Side::left);
    int from = 0;
    for (int arc = arcs.last - 1;; --arc) {
      const int next = arc >= arcs.first ? layout_.arc(arc).modifier + 1 : right;
      for_each_word<true>(layout_.left_ends(right), from, next,
                          [&](int end) COPSE_TERM { complete<Side::left>(right, right - end); });
      if (arc < arcs.first) return;
      incomplete<Side::left>(right, right + 1 - next, arc, arc > arcs.first ? arc - 1 : ArcSet::kNone);
      from = next;
    }
  }

  template <class LanesType>
  static COPSE_INLINE auto load_adjoint(const LanesType& lanes, RowOperand row, int v) {
    return hn::LoadU(lanes.d, lanes.chart.adjoints + row.offset + lanes.at(v));
  }
  template <class LanesType>
  static COPSE_INLINE void load_both(const LanesType& lanes, RowOperand row,
                                     typename LanesType::V (&adjoint)[LanesType::kCount],
                                     typename LanesType::V (&value)[LanesType::kCount]) {
    for (int v = 0; v < LanesType::kCount; ++v) {
      adjoint[v] = load_adjoint(lanes, row, v);
      value[v] = lanes.load(row, v);
    }
  }
  // Of long sentences, hardly any span is probable enough to hand anything down, and most get nothing.
  static constexpr bool kSkips = kSemiring == Semiring::linear && !Layout::kSharedJoins;
  template <class LanesType>
  static COPSE_INLINE bool are_at_most(const LanesType& lanes, double limit,
                                       const typename LanesType::V (&x)[LanesType::kCount]) {
    auto highest = x[0];
    for (int v = 1; v < LanesType::kCount; ++v) highest = hn::Max(highest, x[v]);
    return hn::AllFalse(lanes.d, hn::Gt(highest, hn::Set(lanes.d, limit)));
  }
  COPSE_INLINE bool is_negligible(std::ptrdiff_t number) const {
    return !(chart_.adjoints[number] * chart_.values[number] > chart_.negligible);
  }
  COPSE_INLINE bool is_negligible(const Span& span, int arc) const {
    if (!kSkips || chart_.negligible == 0.0) return false;
    if constexpr (Rules::kOutermost) {
      return is_negligible(layout_.at(Alone{span, arc}).offset);
    } else {
      const LaneRange range = layout_.lanes(span);
      const auto row_is_negligible = [&](RowOperand row) {
        for (std::ptrdiff_t lane = range.first; lane < range.last; ++lane) {
          if (!is_negligible(row.offset + lane)) return false;
        }
        return true;
      };
      bool negligible = row_is_negligible(layout_.at(Same{span, arc}));
      if constexpr (Rules::kAugmented) {
        for (int slot = 0; negligible && slot < layout_.slots(arc); ++slot) {
          negligible = row_is_negligible(layout_.at(Augmented{span, arc, slot}));
        }
      }
      return negligible;
    }
  }
  // Hands the adjoint of a sum on to the terms. `value` is used in the log domain only.
  template <class LanesType, class EachTerm>
  static COPSE_INLINE void push(const LanesType& lanes,
                                const typename LanesType::V (&adjoint)[LanesType::kCount],
                                const typename LanesType::V (&value)[LanesType::kCount],
                                EachTerm&& each_term) {
    if constexpr (kSemiring == Semiring::linear) {
      each_term(PushTerm<LanesType>{lanes, adjoint});
    } else {
      each_term(ShareTerm<LanesType>{lanes, adjoint, value});
    }
  }

  COPSE_INLINE void join(int left, int width) const {
    if constexpr (!Layout::kSharedJoins) gather_joins(left, width);
    push_row(layout_.join_row(left, width), layout_.join_lanes(width),
             [&](auto term) COPSE_TERM { this->join_row_terms(left, width, term); });
  }

  COPSE_INLINE void gather_joins(int left, int width) const {
    const std::ptrdiff_t row = layout_.join_row(left, width).offset;
    this->for_each_join_of_row(left, width, [&](int lane, std::ptrdiff_t join) COPSE_TERM {
      if constexpr (kSemiring == Semiring::log) chart_.values[row + lane] = chart_.values[join];
      chart_.adjoints[row + lane] = chart_.adjoints[join];
    });
    for (std::ptrdiff_t lane = layout_.words() - width; lane < layout_.join_lanes(width).last; ++lane) {
      chart_.values[row + lane] = zero_of(kSemiring);
      chart_.adjoints[row + lane] = 0.0;
    }
  }

  template <Side side>
  COPSE_INLINE void incomplete(int head, int width, int arc, int next_arc) const {
    const Span span = incomplete_span(side, head, width);
    if (!layout_.is_used(arc) || is_negligible(span, arc)) return store_nothing(arc);
    const typename Base::WeightRows weights = weights_again<side>(head, width, arc, next_arc);
    if constexpr (Rules::kOutermost) {
      incomplete_alone<side>(head, width, arc, weights);
    } else if constexpr (kPartRows && Rules::kSiblings) {
      incomplete_parts<side>(head, width, arc, next_arc, weights);
    } else {
      incomplete_row<side>(head, width, arc, weights);
      if constexpr (kPartRows) PartRows(layout_, arc).store_row(weights.first, *chart_.marginals);
    }
    if constexpr (Rules::kAugmented) {
      const int slots = layout_.slots(arc);
      for (int slot = 0; slot < slots; ++slot) {
        push_row(layout_.at(Augmented{span, arc, slot}), layout_.lanes(span), [&](auto term) COPSE_TERM {
          this->template augmented_terms<side>(head, width, arc, slot, weights, term);
        });
      }
    }
    if constexpr (!Layout::kSharedJoins && !kPartRows) {
      ArcTransfer(layout_, arc).store(weights.first, *chart_.marginals);
    }
    if (!Rules::kSiblings || layout_.joins_in_rows()) return;
    this->template for_each_join_cell<side>(
        head, width, arc, [&](const Span& join, int left_arc, int right_arc, auto cell) COPSE_TERM {
          if (kSemiring == Semiring::linear && is_negligible(cell.offset)) return;
          push_cell(cell.offset,
                    [&](auto term) COPSE_TERM { this->join_cell_terms(join, left_arc, right_arc, term); });
        });
  }

  // As the sums have used them.
  template <Side side>
  COPSE_INLINE typename Base::WeightRows weights_again(int head, int width, int arc, int next_arc) const {
    if constexpr (kPartRows) {
      const PartRows rows(layout_, arc);
      if (chart_.weights_kept && rows.has_room()) {
        double* kept = rows.block(*chart_.marginals);
        return Base::rows_at(rows, rows.take_back(kept, chart_.weights));
      }
      return Base::rows_at(rows, rows.place(*chart_.source, chart_.highest, chart_.weights, nullptr,
                                            this->next_potentials(next_arc)));
    } else {
      if (chart_.weights_kept || Layout::kSharedJoins)
        return this->template weights_of_arc<side>(head, width, arc);
      return this->template place_weights<side>(head, width, arc, next_arc);
    }
  }

  // The outermost parts of the arc have been used by all spans that it can be the last arc of.
  template <Side side>
  COPSE_INLINE void incomplete_alone(int head, int width, int arc,
                                     const typename Base::WeightRows& weights) const {
    push_cell(layout_.at(Alone{incomplete_span(side, head, width), arc}).offset, [&](auto term) COPSE_TERM {
      this->template incomplete_terms<side>(head, width, arc, weights, term);
    });
    const std::ptrdiff_t row = layout_.at(Outermost{arc}).offset;
    ArcTransfer(layout_, arc)
        .store_outermost(kSemiring == Semiring::linear ? chart_.values + row : nullptr, chart_.adjoints + row,
                         *chart_.marginals);
  }
  template <class EachTerm>
  COPSE_INLINE void push_cell(std::ptrdiff_t cell, EachTerm&& each_term) const {
    this->for_one([&](auto lanes) COPSE_TERM {
      using V = typename decltype(lanes)::V;
      const V adjoint[1] = {hn::Set(lanes.d, chart_.adjoints[cell])};
      const V value[1] = {hn::Set(lanes.d, chart_.values[cell])};
      push(lanes, adjoint, value, each_term);
    });
  }
  template <class EachTerm>
  COPSE_INLINE void push_row(RowOperand row, const LaneRange& range, EachTerm&& each_term) const {
    this->for_lanes(range, [&](auto lanes) COPSE_TERM {
      typename decltype(lanes)::V adjoint[decltype(lanes)::kCount];
      typename decltype(lanes)::V value[decltype(lanes)::kCount];
      load_both(lanes, row, adjoint, value);
      push(lanes, adjoint, value, each_term);
    });
  }

  template <Side side>
  COPSE_INLINE void incomplete_row(int head, int width, int arc,
                                   const typename Base::WeightRows& weights) const {
    const Span span = incomplete_span(side, head, width);
    const RowOperand out = layout_.at(Same{span, arc});
    this->for_lanes(layout_.lanes(span), [&](auto lanes) COPSE_TERM {
      constexpr int kCount = decltype(lanes)::kCount;
      typename decltype(lanes)::V adjoint[kCount];
      typename decltype(lanes)::V value[kCount];
      load_both(lanes, out, adjoint, value);
      if constexpr (!Rules::kSiblings) {
        const WeightRow weight = weights[0];
        typename decltype(lanes)::V marginal[kCount];
        for (int v = 0; v < kCount; ++v) {
          const auto w = lanes.load(weight, v);
          if constexpr (kSemiring == Semiring::linear) {
            marginal[v] = hn::Mul(adjoint[v], value[v]);
            adjoint[v] = hn::Mul(adjoint[v], w);
          } else {
            marginal[v] = adjoint[v];
            value[v] = hn::Sub(value[v], minus_infinity_as_zero(lanes.d, w));
          }
        }
        lanes.add(weight, marginal);
      }
      push(lanes, adjoint, value, [&](auto term) COPSE_TERM {
        this->template incomplete_terms<side>(head, width, arc, weights, term);
      });
    });
  }

  // The same, with the marginals of the parts straight to their place.
  template <Side side>
  COPSE_INLINE void incomplete_parts(int head, int width, int arc, int next_arc,
                                     const typename Base::WeightRows& weights) const {
    const Span span = incomplete_span(side, head, width);
    const RowOperand out = layout_.at(Same{span, arc});
    const PartRows rows(layout_, arc);
    double* const block = rows.block(*chart_.marginals);
    // Without room for whole vectors there, by way of the place of the weights.
    double* const first = rows.has_room() ? rows.first_vector(block) : weights.first;
    // While this arc is at work, memory has time to fetch those of the next one.
    const std::ptrdiff_t to_next =
        next_arc == ArcSet::kNone ? 0 : PartRows(layout_, next_arc).block(*chart_.marginals) - block;
    this->for_lanes(layout_.lanes(span), [&](auto lanes) COPSE_TERM {
      constexpr int kCount = decltype(lanes)::kCount;
      typename decltype(lanes)::V adjoint[kCount];
      typename decltype(lanes)::V value[kCount];
      load_both(lanes, out, adjoint, value);
      const PartLanes parts(lanes, rows.valid());
      push(parts, adjoint, value, [&](auto term) COPSE_TERM {
        this->template slot_terms<side>(head, width, arc, [&](int slot, auto... operands) COPSE_TERM {
          const std::ptrdiff_t row = slot * weights.stride;
          for (int v = 0; v < kCount; ++v) {
            __builtin_prefetch(first + row + to_next + lanes.at(v) - lanes.first_used, 1);
          }
          term(operands..., PartRow{weights.first + row, first + row});
        });
      });
      for (int v = 0; v < kCount; ++v) rows.store_grandchild(lanes.at(v), parts.sum[v], *chart_.marginals);
    });
    if (!rows.has_room()) rows.move_block(weights.first, block);
    store_siblings<side>(head, width, arc);
  }
  // Where weights are kept in the place of marginals, marginals of 0 must be stored, too.
  COPSE_INLINE void store_nothing(int arc) const {
    if constexpr (kPartRows) PartRows(layout_, arc).store_nothing(*chart_.marginals);
  }
  // The one number of a slot that all grandparents share is used nowhere else, so that its probability is
  // that of the sibling part. Only the words themselves have more than one use: they are what neighbours
  // share.
  template <Side side>
  COPSE_INLINE void store_siblings(int head, int width, int arc) const {
    double* siblings = chart_.marginals->of_arc(layout_.parts(), PartKind::sibling, arc);
    double total = 0.0;
    if (width == 1) {
      siblings[0] = PartRows(layout_, arc).sum_of_grandchildren(*chart_.marginals);
      total = siblings[0];
    } else {
      this->template slot_terms<side>(head, width, arc, [&](int slot, auto... operands) COPSE_TERM {
        const CellOperand cell = std::get<sizeof...(operands) - 1>(std::tuple(operands...));
        const double adjoint = chart_.adjoints[cell.offset];
        const double probability =
            kSemiring == Semiring::linear ? adjoint * chart_.values[cell.offset] : adjoint;
        siblings[slot] = std::min(probability, 1.0);
        total += siblings[slot];
      });
    }
    chart_.marginals->arc[arc] = std::min(total, 1.0);
  }

  template <Side side>
  COPSE_INLINE void complete(int head, int width) const {
    const Span span = complete_span(side, head, width);
    const RowOperand out = layout_.at(Same{span});
    this->for_lanes(layout_.lanes(span), [&](auto lanes) COPSE_TERM {
      typename decltype(lanes)::V adjoint[decltype(lanes)::kCount];
      typename decltype(lanes)::V value[decltype(lanes)::kCount];
      for (int v = 0; v < decltype(lanes)::kCount; ++v) adjoint[v] = load_adjoint(lanes, out, v);
      if (kSkips && are_at_most(lanes, 0.0, adjoint)) return;
      for (int v = 0; v < decltype(lanes)::kCount; ++v) value[v] = lanes.load(out, v);
      if constexpr (kSkips) {
        typename decltype(lanes)::V probability[decltype(lanes)::kCount];
        for (int v = 0; v < decltype(lanes)::kCount; ++v) probability[v] = hn::Mul(adjoint[v], value[v]);
        if (are_at_most(lanes, chart_.negligible, probability)) return;
      }
      if (layout_.has_closed_lanes(span)) {
        const LaneRange open = layout_.open_lanes(span);
        for (int v = 0; v < decltype(lanes)::kCount; ++v) {
          adjoint[v] = hn::IfThenElseZero(lanes.within(open, v), adjoint[v]);
        }
      }
      push(lanes, adjoint, value,
           [&](auto term) COPSE_TERM { this->template complete_terms<side>(head, width, term); });
    });
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
