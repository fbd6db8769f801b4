// One sentence as the sweeps see it: tables, potentials, and where the numbers of its charts lie.
#pragma once

#include <cstdint>

#include "batch/cuda/chart_numbers.h"
#include "batch/cuda/chart_tables.h"

namespace copse {

// Arrays of one sentence; null where there are none, or where no answer is wanted.
template <class Number>
struct SentenceArrays {
  Number* arc = nullptr;
  Number* sibling = nullptr;
  Number* grandchild = nullptr;
  Number* grandsibling = nullptr;
};

struct Charts {
  double* complete = nullptr;
  double* incomplete = nullptr;
  double* joins = nullptr;  // with siblings only
  double* complete_adjoints = nullptr;
  double* incomplete_adjoints = nullptr;
  double* join_adjoints = nullptr;
  double* highest = nullptr;  // by word: the largest log weight of a part that ends in it
};

template <class Number, bool kWithSiblings, bool kWithGrandparents>
struct ChartView {
  static constexpr bool kSiblings = kWithSiblings;
  static constexpr bool kGrandparents = kWithGrandparents;

  struct Lanes {
    int first;
    int last;  // one past the end
  };
  // The weights of the parts that end in one arc.
  struct Weights {
    double arc;
    const Number* sibling;
    const Number* grandchild;
    const Number* grandsibling;
    int grandparents;
    double highest;

    // `place` counts the grandparents that the arc can have.
    COPSE_DEVICE double log(int slot, int place) const {
      double sum = arc;
      if constexpr (kSiblings) sum += static_cast<double>(sibling[slot]);
      if constexpr (kGrandparents) sum += static_cast<double>(grandchild[place]);
      if constexpr (kSiblings && kGrandparents) {
        sum += static_cast<double>(grandsibling[static_cast<std::int64_t>(slot) * grandparents + place]);
      }
      return sum;
    }
    template <ChartArithmetic kArithmetic>
    COPSE_DEVICE double scaled(double log_weight) const {
      return kArithmetic == ChartArithmetic::linear ? exp(log_weight - highest) : log_weight;
    }
    template <ChartArithmetic kArithmetic>
    COPSE_DEVICE double in(int slot, int place) const {
      return scaled<kArithmetic>(log(slot, place));
    }
  };

  ChartTables tables;
  SentenceArrays<const Number> potentials;
  Charts charts;
  bool single_root;

  COPSE_DEVICE int words() const { return tables.words; }
  COPSE_DEVICE int arc(int head, int modifier) const {
    return tables.arc_of[head * (tables.words + 1) + modifier];
  }
  COPSE_DEVICE int row(int head) const { return kGrandparents ? tables.row[head] : 1; }
  COPSE_DEVICE int complete_begin(int head) const {
    return kGrandparents ? tables.complete_begin[head] : head * (tables.words + 1);
  }
  // Lane 0 of C(head, end).
  COPSE_DEVICE int complete_at(int head, int end) const { return complete_begin(head) + end * row(head); }
  // The parents of `head` outside the span to `end`.
  COPSE_DEVICE Lanes lanes(int head, int end) const {
    if constexpr (!kGrandparents) return {0, 1};
    const int packed = tables.lanes[head * (tables.words + 1) + end];
    return {packed & 0xffff, packed >> 16};
  }
  // Arcs of a head on one side, nearest first. A step is 1 to the right and -1 to the left.
  COPSE_DEVICE int first_arc(int head, int step) const { return tables.outgoing[2 * head + (step > 0)]; }
  COPSE_DEVICE int last_arc(int head, int step) const { return tables.outgoing[2 * head + (step > 0) + 1]; }
  // Of the arcs in the span from the head to `end`.
  COPSE_DEVICE int last_arc_within(int head, int end) const {
    return tables.last_within[head * (tables.words + 1) + end];
  }
  // A single root has no second modifier.
  COPSE_DEVICE int usable_slots(int head, int slots) const { return single_root && head == 0 ? 1 : slots; }
  // With a single root, the root's span with one modifier is of use only when it covers the sentence.
  COPSE_DEVICE bool is_closed(int head, int width) const {
    return single_root && head == 0 && width < tables.words;
  }
  // J of a modifier and its inner sibling, both below the head of these arcs.
  COPSE_DEVICE int join_at(int step, const ArcEntry& outer, const ArcEntry& inner) const {
    return step > 0 ? outer.under_begin + inner.modifier * outer.modifier_row
                    : inner.under_begin + outer.modifier * inner.modifier_row;
  }
  // Lane of J(a, b), which is one of b: the lane of the same head among those of a, or -1 if it is no
  // candidate.
  COPSE_DEVICE int lane_of_left(int a, int b, int lane) const {
    if constexpr (!kGrandparents) return 0;
    const int above = arc(tables.lane_heads[tables.lane_begin[b] + lane], a);
    return above < 0 ? -1 : tables.lane_of[above];
  }
  COPSE_DEVICE Weights weights(int arc_number, int modifier, int grandparents) const {
    Weights result{};
    result.arc = static_cast<double>(potentials.arc[arc_number]);
    if constexpr (kSiblings) result.sibling = potentials.sibling + tables.sibling_begin[arc_number];
    if constexpr (kGrandparents) {
      result.grandchild = potentials.grandchild + tables.grandchild_begin[arc_number];
    }
    if constexpr (kSiblings && kGrandparents) {
      result.grandsibling = potentials.grandsibling + tables.grandsibling_begin[arc_number];
    }
    result.grandparents = grandparents;
    result.highest = charts.highest[modifier];
    return result;
  }
};

}  // namespace copse
