// The recursions (inference/recursion-inl.h has the rules) from small spans to large ones, as a block of
// threads walks them: all spans of one width at a time, one tile of threads for each item.
//
// Why not the rules of the CPU: there, an item is a loop over lanes within one thread, and the terms of a
// rule come one after the other. Here the threads of a tile are the lanes (grandparents) or, where there is
// only one lane, share the terms; and an order is needed in which a whole block works between two barriers.
#pragma once

#include "batch/cuda/chart_view.h"
#include "batch/cuda/terms_at_once.h"

namespace copse {

// Calls use(i) with a tile for each i below `count`.
template <class Group, class Use>
COPSE_DEVICE void for_each_by_tile(const Group& group, int count, Use use) {
  COPSE_KEEP_LOOP
  for (int i = group.tile(); i < count; i += group.tiles()) use(i);
}

template <class View, ChartArithmetic kArithmetic, class Group>
class InsideSweep {
  using Numbers = ChartNumbers<kArithmetic>;
  using Sum = ChartSum<kArithmetic>;
  using Lanes = typename View::Lanes;

 public:
  COPSE_DEVICE InsideSweep(const View& view, const Group& group)
      : view_(view),
        group_(group),
        complete_(view.charts.complete),
        incomplete_(view.charts.incomplete),
        joins_(view.charts.joins) {}

  COPSE_DEVICE void run() const {
    const int words = view_.words();
    for (int head = group_.tile(); head <= words; head += group_.tiles()) {
      double* leaf = complete_ + view_.complete_at(head, head);
      for (int lane = group_.rank(); lane < view_.row(head); lane += group_.tile_size())
        leaf[lane] = Numbers::kOne;
    }
    group_.barrier();
    COPSE_KEEP_LOOP
    for (int width = 1; width <= words; ++width) {
      const int spans = words + 1 - width;
      if constexpr (!View::kSiblings && !View::kGrandparents) {
        for_each_by_tile(group_, spans, [&](int left) { sum_pair(left, width); });
      } else {
        // Joins of this width are read by wider spans only. The root has no siblings.
        const int joins = View::kSiblings ? spans - 1 : 0;
        for_each_by_tile(group_, 2 * spans + joins, [&](int i) {
          if (i >= 2 * spans) {
            if constexpr (View::kSiblings) sum_join(i - 2 * spans + 1, width);
          } else {
            sum_incomplete(i < spans ? 1 : -1, i < spans ? i : i - spans + width, width);
          }
        });
      }
      group_.barrier();
      for_each_by_tile(group_, 2 * spans, [&](int i) {
        sum_complete(i < spans ? 1 : -1, i < spans ? i : i - spans + width, width);
      });
      group_.barrier();
    }
  }

 private:
  // Terms are shared among threads where lanes are not.
  COPSE_DEVICE int first_term() const { return View::kGrandparents ? 0 : group_.rank(); }
  COPSE_DEVICE int term_step() const { return View::kGrandparents ? 1 : group_.tile_size(); }

  // Adds finish(load(i)) for i from first to last. What several terms need is loaded before any of it is
  // used: a thread with one load on its way at a time does nothing but wait.
  template <class Load, class Finish>
  COPSE_DEVICE void add_terms(Sum& sum, int first, int last, Load load, Finish finish) const {
    constexpr int kMany = View::kGrandparents && Numbers::kIsLinear ? kTermsAtOnce : 1;
    COPSE_KEEP_LOOP
    for (int i = first + first_term(); i < last; i += kMany * term_step()) {
      decltype(load(0)) loaded[kMany];
      COPSE_UNROLL
      for (int j = 0; j < kMany; ++j) {
        const int term = i + j * term_step();
        loaded[j] = load(kMany == 1 || term < last ? term : last - 1);
      }
      COPSE_UNROLL
      for (int j = 0; j < kMany; ++j) {
        if (kMany == 1 || i + j * term_step() < last) sum.add(finish(loaded[j]));
      }
    }
  }
  template <class Load>
  COPSE_DEVICE void add_terms(Sum& sum, int first, int last, Load load) const {
    add_terms(sum, first, last, load, [](double term) { return term; });
  }

  // Calls sum_terms(lane, sum) for each lane, and store(lane, value).
  template <class SumTerms, class Store>
  COPSE_DEVICE void for_lanes(const Lanes& lanes, SumTerms sum_terms, Store store) const {
    if constexpr (View::kGrandparents) {
      COPSE_KEEP_LOOP
      for (int lane = lanes.first + group_.rank(); lane < lanes.last; lane += group_.tile_size()) {
        Sum sum;
        sum_terms(lane, sum);
        store(lane, sum.value());
      }
    } else {
      Sum sum;
      sum_terms(0, sum);
      sum.merge(group_);
      if (group_.rank() == 0) store(0, sum.value());
    }
  }

  // C(h, e) = Σ_m I(h → m) · C(m, e)
  COPSE_DEVICE void sum_complete(int step, int head, int width) const {
    const int end = head + step * width;
    double* out = complete_ + view_.complete_at(head, end);
    if (view_.is_closed(head, width)) {
      if (group_.rank() == 0) out[0] = Numbers::kZero;
      return;
    }
    const int first = view_.first_arc(head, step);
    const int last = view_.last_arc_within(head, end);
    for_lanes(
        view_.lanes(head, end),
        [&](int lane, Sum& sum) {
          add_terms(sum, first, last, [&](int arc) {
            const ArcEntry entry = view_.tables.entries[arc];
            return Numbers::times(incomplete_[entry.incomplete_begin + lane],
                                  complete_[entry.under_begin + end * entry.modifier_row]);
          });
        },
        [&](int lane, double value) { out[lane] = value; });
  }

  // First order: both arcs of a pair of words have the same sum over the word between them.
  COPSE_DEVICE void sum_pair(int left, int width) const {
    const int right = left + width;
    const int from_left = view_.complete_at(left, left);
    const int from_right = view_.complete_at(right, left + 1);
    for_lanes(
        {0, 1},
        [&](int /*lane*/, Sum& sum) {
          add_terms(sum, 0, width, [&](int k) {
            return Numbers::times(complete_[from_left + k], complete_[from_right + k]);
          });
        },
        [&](int /*lane*/, double value) {
          store_arc(left, right, value);
          store_arc(right, left, value);
        });
  }
  COPSE_DEVICE void store_arc(int head, int modifier, double value) const {
    const int arc = view_.arc(head, modifier);
    if (arc < 0) return;
    incomplete_[arc] = Numbers::times(value, view_.weights(arc, modifier, 1).template in<kArithmetic>(0, 0));
  }

  COPSE_DEVICE void sum_incomplete(int step, int head, int width) const {
    const int modifier = head + step * width;
    const int arc = view_.arc(head, modifier);
    if (arc < 0) return;
    const Lanes lanes = view_.lanes(head, modifier);
    const ArcEntry own = view_.tables.entries[arc];
    const auto weights = view_.weights(arc, modifier, lanes.last - lanes.first);
    double* out = incomplete_ + own.incomplete_begin;
    if constexpr (View::kSiblings) {
      // I(h → m) = w(h, –, m) · C(m, h + 1) + Σ_s w(h, s, m) · I(h → s) · J(s, m)
      const int first = view_.first_arc(head, step);
      const int slots = view_.usable_slots(head, arc - first + 1);
      for_lanes(
          lanes,
          [&](int lane, Sum& sum) {
            const int place = lane - lanes.first;
            struct Slot {
              double log_weight;
              double factor;
            };
            if (first_term() == 0) {
              sum.add(Numbers::times(weights.template in<kArithmetic>(0, place),
                                     complete_[own.under_begin + (head + step) * own.modifier_row]));
            }
            add_terms(
                sum, 1, slots,
                [&](int slot) {
                  const ArcEntry inner = view_.tables.entries[first + slot - 1];
                  return Slot{weights.log(slot, place),
                              Numbers::times(incomplete_[inner.incomplete_begin + lane],
                                             joins_[view_.join_at(step, own, inner)])};
                },
                [&](const Slot& slot) {
                  return Numbers::times(weights.template scaled<kArithmetic>(slot.log_weight), slot.factor);
                });
          },
          [&](int lane, double value) { out[lane] = value; });
    } else {
      // I(h → m) = w(h, m) · Σ_k C(h, k) · C(m, k + 1)
      const int begin = view_.complete_begin(head);
      const int row = view_.row(head);
      for_lanes(
          lanes,
          [&](int lane, Sum& sum) {
            add_terms(sum, 0, width, [&](int k) {
              const int at = head + step * k;
              return Numbers::times(complete_[begin + at * row + lane],
                                    complete_[own.under_begin + (at + step) * own.modifier_row]);
            });
          },
          [&](int lane, double value) {
            out[lane] = Numbers::times(value, weights.template in<kArithmetic>(0, lane - lanes.first));
          });
    }
  }

  // J(a, b) = Σ_k C(a, k) · C(b, k + 1), for every head that both can have
  COPSE_DEVICE void sum_join(int a, int width) const {
    const int b = a + width;
    const int begin_a = view_.complete_begin(a);
    const int begin_b = view_.complete_begin(b);
    const int row_a = view_.row(a);
    const int row_b = view_.row(b);
    for_lanes(
        view_.lanes(b, a),
        [&](int lane, Sum& sum) {
          const int lane_a = view_.lane_of_left(a, b, lane);
          if (lane_a < 0) return;
          add_terms(sum, 0, width, [&](int k) {
            return Numbers::times(complete_[begin_a + (a + k) * row_a + lane_a],
                                  complete_[begin_b + (a + k + 1) * row_b + lane]);
          });
        },
        [&](int lane, double value) { joins_[begin_b + a * row_b + lane] = value; });
  }

  const View& view_;
  const Group& group_;
  double* complete_;
  double* incomplete_;
  double* joins_;
};

}  // namespace copse
