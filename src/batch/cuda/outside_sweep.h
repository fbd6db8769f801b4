// The adjoint of inside_sweep.h, from large spans to small ones, and with it the marginals of all parts.
//
// Every item adds to the adjoints of its operands. No two tiles add to the same number between two barriers,
// so there are no atomic operations, and sums have the same order every time:
//   complete (h, e)    adds to I(h → m), which has the head h and its side, and to C(m, e) in the lane of h;
//   of
//                      one width, (m, e) and the side tell h
//   incomplete h → m   adds to C(h, k) in lanes outside the arc, C(m, k) in the lane of h, I(h → s), and J of
//   s
//                      and m in the lane of h. Without lanes, arcs to the right and to the left meet in C and
//                      J: then there is a barrier between them (first order: one tile for both arcs of a
//                      pair)
//   join (a, b)        adds to C(a, k) and C(b, k); of one width, either end tells the other
// The leaves C(h, h) are constants and get no adjoint.
//
// Linear arithmetic: adjoints are derivatives of log Z by the items' values. Log: probabilities of the items.
#pragma once

#include "batch/cuda/inside_sweep.h"

namespace copse {

template <class View, class Number, ChartArithmetic kArithmetic, class Group>
class OutsideSweep {
  static constexpr bool kIsLinear = kArithmetic == ChartArithmetic::linear;
  using Lanes = typename View::Lanes;

 public:
  COPSE_DEVICE OutsideSweep(const View& view, const SentenceArrays<Number>& marginals, const Group& group)
      : view_(view),
        marginals_(marginals),
        group_(group),
        complete_(view.charts.complete),
        incomplete_(view.charts.incomplete),
        joins_(view.charts.joins),
        complete_adjoints_(view.charts.complete_adjoints),
        incomplete_adjoints_(view.charts.incomplete_adjoints),
        join_adjoints_(view.charts.join_adjoints) {}

  // After InsideSweep::run() over the same charts, whose values are used up.
  COPSE_DEVICE void run() {
    clear(complete_adjoints_, view_.tables.complete_count);
    clear(incomplete_adjoints_, view_.tables.incomplete_count);
    if constexpr (View::kSiblings) clear(join_adjoints_, view_.tables.complete_count);
    group_.barrier();
    const int words = view_.words();
    const int goal = view_.complete_at(0, words);
    if (group_.thread() == 0) complete_adjoints_[goal] = kIsLinear ? 1.0 / complete_[goal] : 1.0;
    group_.barrier();
    COPSE_KEEP_LOOP
    for (int width = words; width >= 1; --width) {
      const int spans = words + 1 - width;
      for_each_by_tile(group_, 2 * spans, [&](int i) {
        push_complete(i < spans ? 1 : -1, i < spans ? i : i - spans + width, width);
      });
      group_.barrier();
      if constexpr (!View::kSiblings && !View::kGrandparents) {
        for_each_by_tile(group_, spans, [&](int left) { push_pair(left, width); });
      } else if constexpr (View::kGrandparents) {
        for_each_by_tile(group_, 2 * spans, [&](int i) {
          push_incomplete(i < spans ? 1 : -1, i < spans ? i : i - spans + width, width);
        });
      } else {
        for_each_by_tile(group_, spans, [&](int i) { push_incomplete(1, i, width); });
        group_.barrier();
        for_each_by_tile(group_, spans, [&](int i) { push_incomplete(-1, i + width, width); });
      }
      group_.barrier();
      if constexpr (View::kSiblings) {
        for_each_by_tile(group_, spans - 1, [&](int i) { push_join(i + 1, width); });
        group_.barrier();
      }
    }
  }

  // This thread's share of the expected sum of log weights, each less the highest of its word.
  COPSE_DEVICE double expected_weight() const { return expected_weight_; }

 private:
  COPSE_DEVICE void clear(double* numbers, int count) const {
    for (int i = group_.thread(); i < count; i += group_.threads()) numbers[i] = 0.0;
  }
  COPSE_DEVICE int first_term() const { return View::kGrandparents ? 0 : group_.rank(); }
  COPSE_DEVICE int term_step() const { return View::kGrandparents ? 1 : group_.tile_size(); }
  COPSE_DEVICE int first_lane(const Lanes& lanes) const {
    return View::kGrandparents ? lanes.first + group_.rank() : 0;
  }
  COPSE_DEVICE int lane_step() const { return View::kGrandparents ? group_.tile_size() : 1; }
  // Terms that a thread has on their way at once, as in the inside sweep. Here terms are stored, too: so what
  // several need is loaded before anything is stored, which a compiler may not arrange by itself. A slot
  // needs more numbers, and there are only so many registers.
  static constexpr int kMany = View::kGrandparents && kIsLinear ? kTermsAtOnce : 1;
  static constexpr int kManySlots = View::kGrandparents && kIsLinear ? kTermsAtOnce / 2 : 1;

  // Over all lanes; the whole in every thread.
  COPSE_DEVICE double over_lanes(double sum) const {
    return View::kGrandparents ? tile_sum(group_, sum) : sum;
  }

  // What a term of a sum gets of the sum's probability (log domain). A sum of probability 0 may be zero
  // itself.
  COPSE_DEVICE static double share(double probability, double log_part) {
    return probability > 0.0 ? probability * exp(log_part) : 0.0;
  }
  COPSE_DEVICE static void store(Number* to, std::int64_t at, double probability) {
    if (to != nullptr) to[at] = static_cast<Number>(probability < 1.0 ? probability : 1.0);
  }
  COPSE_DEVICE void expect(double probability, double log_weight, double highest) {
    if (probability > 0.0) expected_weight_ += probability * (log_weight - highest);
  }

  COPSE_DEVICE void push_complete(int step, int head, int width) const {
    if (view_.is_closed(head, width)) return;
    const int end = head + step * width;
    const int out = view_.complete_at(head, end);
    const Lanes lanes = view_.lanes(head, end);
    const int begin = view_.first_arc(head, step);
    const int last = view_.last_arc_within(head, end);
    for_terms<kMany>(begin + first_term(), last, term_step(), [&](int first, int count) {
      int modifier[kMany];
      int in[kMany];
      int under[kMany];
      double cell[kMany];
      double sums[kMany] = {};
      COPSE_UNROLL
      for (int j = 0; j < kMany; ++j) {
        const ArcEntry entry = view_.tables.entries[term_at(first, count, j)];
        modifier[j] = entry.modifier;
        in[j] = entry.incomplete_begin;
        under[j] = entry.under_begin + end * entry.modifier_row;
        cell[j] = complete_[under[j]];
      }
      const auto to = load_targets<View::kGrandparents>(group_, complete_adjoints_, under, count);
      COPSE_KEEP_LOOP
      for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
        const double adjoint = complete_adjoints_[out + lane];
        double value[kMany];
        double before[kMany];
        COPSE_UNROLL
        for (int j = 0; j < kMany; ++j) {
          value[j] = incomplete_[in[j] + lane];
          before[j] = incomplete_adjoints_[in[j] + lane];
        }
        COPSE_UNROLL
        for (int j = 0; j < kMany; ++j) {
          if (j >= count) break;
          if constexpr (kIsLinear) {
            incomplete_adjoints_[in[j] + lane] = before[j] + adjoint * cell[j];
            sums[j] += adjoint * value[j];
          } else {
            const double part = share(adjoint, value[j] + cell[j] - complete_[out + lane]);
            incomplete_adjoints_[in[j] + lane] = before[j] + part;
            sums[j] += part;
          }
        }
      }
      add_sums<View::kGrandparents>(group_, to, sums, [&](int j, double sum, double before) {
        if (j < count && pick(modifier, j) != end) complete_adjoints_[pick(under, j)] = before + sum;
      });
    });
  }

  // First order. Every thread of the tile finds the adjoint of the sum that both arcs have in common.
  COPSE_DEVICE void push_pair(int left, int width) {
    const int right = left + width;
    double adjoint = 0.0;
    double value = kLogOfZero;
    push_arc(left, right, adjoint, value);
    push_arc(right, left, adjoint, value);
    const int from_left = view_.complete_at(left, left);
    const int from_right = view_.complete_at(right, left + 1);
    for (int k = first_term(); k < width; k += term_step()) {
      const double a = complete_[from_left + k];
      const double b = complete_[from_right + k];
      const double part = kIsLinear ? adjoint : share(adjoint, a + b - value);
      if (k > 0) complete_adjoints_[from_left + k] += kIsLinear ? part * b : part;
      if (k + 1 < width) complete_adjoints_[from_right + k] += kIsLinear ? part * a : part;
    }
  }
  COPSE_DEVICE void push_arc(int head, int modifier, double& adjoint, double& value) {
    const int arc = view_.arc(head, modifier);
    if (arc < 0) return;
    const auto weights = view_.weights(arc, modifier, 1);
    const double log_weight = weights.log(0, 0);
    const double own = incomplete_adjoints_[arc];
    const double probability = kIsLinear ? own * incomplete_[arc] : own;
    if constexpr (kIsLinear) {
      adjoint += own * exp(log_weight - weights.highest);
    } else {
      adjoint += own;
      if (own > 0.0) value = incomplete_[arc] - log_weight;
    }
    if (group_.rank() != 0) return;
    store(marginals_.arc, arc, probability);
    expect(probability, log_weight, weights.highest);
  }

  COPSE_DEVICE void push_incomplete(int step, int head, int width) {
    const int modifier = head + step * width;
    const int arc = view_.arc(head, modifier);
    if (arc < 0) return;
    const Lanes lanes = view_.lanes(head, modifier);
    const ArcEntry own = view_.tables.entries[arc];
    const auto weights = view_.weights(arc, modifier, lanes.last - lanes.first);
    store_arc_marginals(arc, own, lanes);
    if constexpr (View::kSiblings) {
      push_slots(step, head, arc, own, lanes, weights);
    } else {
      push_between(step, head, width, own, lanes, weights);
    }
  }
  // What all slots of an arc have together.
  COPSE_DEVICE void store_arc_marginals(int arc, const ArcEntry& own, const Lanes& lanes) const {
    double sum = 0.0;
    COPSE_KEEP_LOOP
    for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
      const int in = own.incomplete_begin + lane;
      const double probability =
          kIsLinear ? incomplete_adjoints_[in] * incomplete_[in] : incomplete_adjoints_[in];
      if constexpr (View::kGrandparents) {
        store(marginals_.grandchild, view_.tables.grandchild_begin[arc] + lane - lanes.first, probability);
      }
      sum += probability;
    }
    sum = over_lanes(sum);
    if (group_.rank() == 0) store(marginals_.arc, arc, sum);
  }

  // Grandchild models: head and modifier share the words between them.
  template <class Weights>
  COPSE_DEVICE void push_between(int step, int head, int width, const ArcEntry& own, const Lanes& lanes,
                                 const Weights& weights) {
    const int begin = view_.complete_begin(head);
    const int row = view_.row(head);
    COPSE_KEEP_LOOP
    for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
      const int in = own.incomplete_begin + lane;
      const double log_weight = weights.log(0, lane - lanes.first);
      const double adjoint = incomplete_adjoints_[in];
      expect(kIsLinear ? adjoint * incomplete_[in] : adjoint, log_weight, weights.highest);
      // From here on: the adjoint, and in the log domain the value, of the sum without the weight.
      if constexpr (kIsLinear) {
        incomplete_adjoints_[in] = adjoint * exp(log_weight - weights.highest);
      } else if (adjoint > 0.0) {
        incomplete_[in] -= log_weight;
      }
    }
    for_terms<kMany>(first_term(), width, term_step(), [&](int first, int count) {
      int upper[kMany];
      int under[kMany];
      double cell[kMany];
      double sums[kMany] = {};
      COPSE_UNROLL
      for (int j = 0; j < kMany; ++j) {
        const int at = head + step * term_at(first, count, j);
        upper[j] = begin + at * row;
        under[j] = own.under_begin + (at + step) * own.modifier_row;
        cell[j] = complete_[under[j]];
      }
      const auto to = load_targets<View::kGrandparents>(group_, complete_adjoints_, under, count);
      COPSE_KEEP_LOOP
      for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
        const int in = own.incomplete_begin + lane;
        const double adjoint = incomplete_adjoints_[in];
        double value[kMany];
        double before[kMany];
        COPSE_UNROLL
        for (int j = 0; j < kMany; ++j) {
          value[j] = complete_[upper[j] + lane];
          before[j] = complete_adjoints_[upper[j] + lane];
        }
        COPSE_UNROLL
        for (int j = 0; j < kMany; ++j) {
          if (j >= count) break;
          const double part = kIsLinear ? adjoint : share(adjoint, value[j] + cell[j] - incomplete_[in]);
          if (first + j > 0)
            complete_adjoints_[upper[j] + lane] = before[j] + (kIsLinear ? part * cell[j] : part);
          sums[j] += kIsLinear ? part * value[j] : part;
        }
      }
      add_sums<View::kGrandparents>(group_, to, sums, [&](int j, double sum, double before) {
        if (j < count && first + j + 1 < width) complete_adjoints_[pick(under, j)] = before + sum;
      });
    });
  }

  // Models with siblings. The innermost modifier has a complete span beside it; another one its sibling's arc
  // and their join.
  template <class Weights>
  COPSE_DEVICE void push_slots(int step, int head, int arc, const ArcEntry& own, const Lanes& lanes,
                               const Weights& weights) {
    const int first_arc = view_.first_arc(head, step);
    const int slots = arc - first_arc + 1;
    const int usable = view_.usable_slots(head, slots);
    const int grandparents = lanes.last - lanes.first;
    Number* sibling_marginals =
        marginals_.sibling == nullptr ? nullptr : marginals_.sibling + view_.tables.sibling_begin[arc];
    Number* part_marginals = nullptr;
    if constexpr (View::kGrandparents) {
      if (marginals_.grandsibling != nullptr) {
        part_marginals = marginals_.grandsibling + view_.tables.grandsibling_begin[arc];
      }
    }
    const auto store_part = [&](int slot, int lane, double probability) {
      if constexpr (View::kGrandparents) {
        store(part_marginals, static_cast<std::int64_t>(slot) * grandparents + lane - lanes.first,
              probability);
      }
    };
    if (first_term() == 0) push_innermost(step, head, own, lanes, weights, sibling_marginals, store_part);
    for_terms<kManySlots>(1 + first_term(), usable, term_step(), [&](int first, int count) {
      int in[kManySlots];
      int beside[kManySlots];
      double cell[kManySlots];
      double sums[kManySlots] = {};
      COPSE_UNROLL
      for (int j = 0; j < kManySlots; ++j) {
        const ArcEntry inner = view_.tables.entries[first_arc + term_at(first, count, j) - 1];
        in[j] = inner.incomplete_begin;
        beside[j] = view_.join_at(step, own, inner);
        cell[j] = joins_[beside[j]];
      }
      const auto to = load_targets<View::kGrandparents>(group_, join_adjoints_, beside, count);
      COPSE_KEEP_LOOP
      for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
        const double adjoint = incomplete_adjoints_[own.incomplete_begin + lane];
        double log_weight[kManySlots];
        double value[kManySlots];
        double before[kManySlots];
        COPSE_UNROLL
        for (int j = 0; j < kManySlots; ++j) {
          log_weight[j] = weights.log(term_at(first, count, j), lane - lanes.first);
          value[j] = incomplete_[in[j] + lane];
          before[j] = incomplete_adjoints_[in[j] + lane];
        }
        COPSE_UNROLL
        for (int j = 0; j < kManySlots; ++j) {
          if (j >= count) break;
          double probability;
          if constexpr (kIsLinear) {
            const double part = adjoint * exp(log_weight[j] - weights.highest);
            incomplete_adjoints_[in[j] + lane] = before[j] + part * cell[j];
            sums[j] += part * value[j];
            probability = part * value[j] * cell[j];
          } else {
            probability =
                share(adjoint, log_weight[j] + cell[j] + value[j] - incomplete_[own.incomplete_begin + lane]);
            incomplete_adjoints_[in[j] + lane] = before[j] + probability;
            sums[j] += probability;
          }
          expect(probability, log_weight[j], weights.highest);
          store_part(first + j, lane, probability);
        }
      }
      add_sums<View::kGrandparents>(group_, to, sums, [&](int j, double sum, double before) {
        if (j >= count) return;
        store(sibling_marginals, first + j, kIsLinear ? sum * pick(cell, j) : sum);
        join_adjoints_[pick(beside, j)] = before + sum;
      });
    });
    // A single root has no second modifier.
    for (int slot = usable + group_.rank(); slot < slots; slot += group_.tile_size()) {
      store(sibling_marginals, slot, 0.0);
      for (int lane = lanes.first; lane < lanes.last; ++lane) store_part(slot, lane, 0.0);
    }
  }
  template <class Weights, class StorePart>
  COPSE_DEVICE void push_innermost(int step, int head, const ArcEntry& own, const Lanes& lanes,
                                   const Weights& weights, Number* sibling_marginals, StorePart store_part) {
    const int beside = own.under_begin + (head + step) * own.modifier_row;
    const double cell = complete_[beside];
    double sum = 0.0;
    COPSE_KEEP_LOOP
    for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
      const double adjoint = incomplete_adjoints_[own.incomplete_begin + lane];
      const double log_weight = weights.log(0, lane - lanes.first);
      double probability;
      if constexpr (kIsLinear) {
        const double part = adjoint * exp(log_weight - weights.highest);
        sum += part;
        probability = part * cell;
      } else {
        probability = share(adjoint, log_weight + cell - incomplete_[own.incomplete_begin + lane]);
        sum += probability;
      }
      expect(probability, log_weight, weights.highest);
      store_part(0, lane, probability);
    }
    sum = over_lanes(sum);
    if (group_.rank() != 0) return;
    store(sibling_marginals, 0, kIsLinear ? sum * cell : sum);
    if (head + step != own.modifier) complete_adjoints_[beside] += sum;
  }

  COPSE_DEVICE void push_join(int a, int width) const {
    const int b = a + width;
    const int begin_a = view_.complete_begin(a);
    const int begin_b = view_.complete_begin(b);
    const int row_a = view_.row(a);
    const int row_b = view_.row(b);
    const Lanes lanes = view_.lanes(b, a);
    COPSE_KEEP_LOOP
    for (int lane = first_lane(lanes); lane < lanes.last; lane += lane_step()) {
      const int lane_a = view_.lane_of_left(a, b, lane);
      if (lane_a < 0) continue;
      const double adjoint = join_adjoints_[begin_b + a * row_b + lane];
      const double value = joins_[begin_b + a * row_b + lane];
      for_terms<kMany>(first_term(), width, term_step(), [&](int first, int count) {
        double left[kMany];
        double right[kMany];
        double left_before[kMany];
        double right_before[kMany];
        const auto left_at = [&](int k) { return begin_a + (a + k) * row_a + lane_a; };
        const auto right_at = [&](int k) { return begin_b + (a + k + 1) * row_b + lane; };
        COPSE_UNROLL
        for (int j = 0; j < kMany; ++j) {
          const int k = term_at(first, count, j);
          left[j] = complete_[left_at(k)];
          right[j] = complete_[right_at(k)];
          left_before[j] = complete_adjoints_[left_at(k)];
          right_before[j] = complete_adjoints_[right_at(k)];
        }
        COPSE_UNROLL
        for (int j = 0; j < kMany; ++j) {
          if (j >= count) break;
          const int k = first + j;
          const double part = kIsLinear ? adjoint : share(adjoint, left[j] + right[j] - value);
          if (k > 0) complete_adjoints_[left_at(k)] = left_before[j] + (kIsLinear ? part * right[j] : part);
          if (k + 1 < width)
            complete_adjoints_[right_at(k)] = right_before[j] + (kIsLinear ? part * left[j] : part);
        }
      });
    }
  }

  const View& view_;
  const SentenceArrays<Number> marginals_;
  const Group& group_;
  double* complete_;
  double* incomplete_;
  double* joins_;
  double* complete_adjoints_;
  double* incomplete_adjoints_;
  double* join_adjoints_;
  double expected_weight_ = 0.0;
};

}  // namespace copse
