// Trees from finished charts: the best one, or drawn ones. One thread walks from the goal to the words and
// asks again at each item which term to follow; that is O(n²) for a tree, beside the O(n³) or O(n⁴) of the
// charts.
#pragma once

#include <cstdint>

#include "batch/cuda/chart_view.h"
#include "batch/sample_key.h"

namespace copse {

struct CountedRandom {
  std::uint64_t key;
  std::uint64_t counter = 0;

  // In [0, 1), 53 bits.
  COPSE_DEVICE double uniform() {
    const std::uint64_t x = mix_bits(key + ++counter);
    return static_cast<double>(x >> 11) * 0x1.0p-53;
  }
};

// Items that wait cover different words, but for their ends: there are never more than this.
COPSE_DEVICE int descent_stack_size(int words) { return words + 2; }

template <class View, ChartArithmetic kArithmetic>
class ChartDescent {
  using Numbers = ChartNumbers<kArithmetic>;
  enum Kind : unsigned { complete, incomplete, join };
  struct Item {
    Kind kind;
    int from;  // head; the right end of a join
    int to;    // far end; the left end of a join
    int lane;
  };

 public:
  // `stack` has room for descent_stack_size() numbers.
  COPSE_DEVICE ChartDescent(const View& view, std::uint64_t* stack) : view_(view), stack_(stack) {}

  // `random` is used by sums; maxima take the first of the best terms.
  COPSE_DEVICE void run(CountedRandom& random, std::int32_t* heads) {
    heads[0] = 0;
    push({complete, 0, view_.words(), 0});
    while (size_ > 0) {
      const Item item = unpack(stack_[--size_]);
      if (item.kind == incomplete) heads[item.to] = item.from;
      const int term = choose(item, random);
      follow(item, term);
    }
  }

 private:
  COPSE_DEVICE void push(const Item& item) {
    if (item.from == item.to) return;  // a single word
    stack_[size_++] = static_cast<std::uint64_t>(item.kind) << 62 |
                      static_cast<std::uint64_t>(item.from) << 40 |
                      static_cast<std::uint64_t>(item.to) << 20 | static_cast<std::uint64_t>(item.lane);
  }
  COPSE_DEVICE static Item unpack(std::uint64_t packed) {
    constexpr std::uint64_t kMask = (1U << 20) - 1;
    return {static_cast<Kind>(packed >> 62), static_cast<int>(packed >> 40 & kMask),
            static_cast<int>(packed >> 20 & kMask), static_cast<int>(packed & kMask)};
  }
  COPSE_DEVICE static int step_of(const Item& item) { return item.to > item.from ? 1 : -1; }
  COPSE_DEVICE double at_complete(int head, int end, int lane) const {
    return view_.charts.complete[view_.complete_at(head, end) + lane];
  }

  COPSE_DEVICE int terms(const Item& item) const {
    const int width = item.to > item.from ? item.to - item.from : item.from - item.to;
    if (item.kind == join) return width;
    const int step = step_of(item);
    const int first = view_.first_arc(item.from, step);
    if (item.kind == complete) return view_.last_arc(item.from, step) - first;
    if constexpr (!View::kSiblings) return width;
    return view_.usable_slots(item.from, view_.arc(item.from, item.to) - first + 1);
  }
  COPSE_DEVICE double value(const Item& item) const {
    if (item.kind == complete) return at_complete(item.from, item.to, item.lane);
    if (item.kind == join) return view_.charts.joins[view_.complete_at(item.from, item.to) + item.lane];
    const int arc = view_.arc(item.from, item.to);
    double whole = view_.charts.incomplete[view_.tables.entries[arc].incomplete_begin + item.lane];
    if constexpr (!View::kSiblings && kArithmetic == ChartArithmetic::log) {
      whole -= weight(item, arc, 0);  // terms come without
    }
    return whole;
  }
  COPSE_DEVICE double weight(const Item& item, int arc, int slot) const {
    const auto lanes = view_.lanes(item.from, item.to);
    return view_.weights(arc, item.to, lanes.last - lanes.first)
        .template in<kArithmetic>(slot, item.lane - lanes.first);
  }
  // The number of one way to build the item. Weights that all ways have in common are left out.
  COPSE_DEVICE double term(const Item& item, int number) const {
    if (item.kind == join) {
      const int lane_a = view_.lane_of_left(item.to, item.from, item.lane);
      return Numbers::times(at_complete(item.to, item.to + number, lane_a),
                            at_complete(item.from, item.to + number + 1, item.lane));
    }
    const int step = step_of(item);
    if (item.kind == complete) {
      const ArcEntry entry = view_.tables.entries[view_.first_arc(item.from, step) + number];
      if ((entry.modifier - item.to) * step > 0) return Numbers::kZero;
      return Numbers::times(view_.charts.incomplete[entry.incomplete_begin + item.lane],
                            view_.charts.complete[entry.under_begin + item.to * entry.modifier_row]);
    }
    const int arc = view_.arc(item.from, item.to);
    const ArcEntry own = view_.tables.entries[arc];
    if constexpr (View::kSiblings) {
      const double own_weight = weight(item, arc, number);
      if (number == 0) {
        return Numbers::times(own_weight,
                              view_.charts.complete[own.under_begin + (item.from + step) * own.modifier_row]);
      }
      const ArcEntry inner = view_.tables.entries[view_.first_arc(item.from, step) + number - 1];
      return Numbers::times(
          Numbers::times(own_weight, view_.charts.incomplete[inner.incomplete_begin + item.lane]),
          view_.charts.joins[view_.join_at(step, own, inner)]);
    } else {
      const int at = item.from + step * number;
      return Numbers::times(at_complete(item.from, at, item.lane),
                            view_.charts.complete[own.under_begin + (at + step) * own.modifier_row]);
    }
  }
  COPSE_DEVICE void follow(const Item& item, int number) {
    if (item.kind == join) {
      push({complete, item.to, item.to + number, view_.lane_of_left(item.to, item.from, item.lane)});
      push({complete, item.from, item.to + number + 1, item.lane});
      return;
    }
    const int step = step_of(item);
    const int first = view_.first_arc(item.from, step);
    if (item.kind == complete) {
      const int modifier = view_.tables.entries[first + number].modifier;
      push({incomplete, item.from, modifier, item.lane});
      push({complete, modifier, item.to, view_.tables.lane_of[first + number]});
      return;
    }
    const int arc = view_.arc(item.from, item.to);
    const int under = view_.tables.lane_of[arc];
    if constexpr (View::kSiblings) {
      if (number == 0) {
        push({complete, item.to, item.from + step, under});
        return;
      }
      const int sibling = view_.tables.entries[first + number - 1].modifier;
      push({incomplete, item.from, sibling, item.lane});
      const bool is_right = step > 0;
      push({join, is_right ? item.to : sibling, is_right ? sibling : item.to,
            is_right ? under : view_.tables.lane_of[first + number - 1]});
    } else {
      const int at = item.from + step * number;
      push({complete, item.from, at, item.lane});
      push({complete, item.to, at + step, under});
    }
  }

  COPSE_DEVICE int choose(const Item& item, CountedRandom& random) const {
    const int count = terms(item);
    if constexpr (kArithmetic == ChartArithmetic::maximum) {
      int best = 0;
      double highest = kLogOfZero;
      for (int number = 0; number < count; ++number) {
        const double score = term(item, number);
        if (score > highest) {
          highest = score;
          best = number;
        }
      }
      return best;
    } else {
      const double whole = kArithmetic == ChartArithmetic::log ? value(item) : 0.0;
      const auto share = [&](int number) {
        const double x = term(item, number);
        return kArithmetic == ChartArithmetic::log ? exp(x - whole) : x;
      };
      double total = 0.0;
      for (int number = 0; number < count; ++number) total += share(number);
      double threshold = random.uniform() * total;
      int last_possible = 0;
      for (int number = 0; number < count; ++number) {
        const double x = share(number);
        if (x > 0.0) last_possible = number;
        threshold -= x;
        if (threshold < 0.0) break;
      }
      return last_possible;
    }
  }

  const View& view_;
  std::uint64_t* stack_;
  int size_ = 0;
};

}  // namespace copse
