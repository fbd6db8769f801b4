// Executors that walk from the goal down to the words and visit only the items they need: the best tree,
// sampling. (k_best.h is another.) They expand an item into the terms of its rule, the same rules that the
// sweeps walk upwards.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inference/context_layout.h"
#include "inference/recursion-inl.h"
#include "inference/span_layout.h"
#include "inference/transfer.h"

namespace copse {

// One number of a chart: a span and, in charts with contexts, what its head hangs on.
struct Item {
  Span span;
  int arc = ArcSet::kNone;  // incomplete, augmented: its arc; join: the arc of the outer modifier
  // Numbers of heads have 16 bits, and so have those of modifiers.
  std::uint16_t lane = 0;  // the parent of the head, where items have it
  std::uint16_t slot = 0;  // augmented: that of the sibling; join: that of the inner modifier
};

// Whether the item says that the word at its end hangs on its head.
constexpr bool has_arc(const Item& item) {
  return item.span.kind == SpanKind::incomplete || item.span.kind == SpanKind::augmented;
}

// One way to build an item.
struct Term {
  double weight;  // in the arithmetic of the chart
  Item operands[2];
  int operand_count;
};

// Where terms have their weights from.
struct TermWeights {
  double one;            // of a rule without weights
  const double* placed;  // spans: as the sweeps have them
  const WeightSource* source;
  const double* highest;  // contexts: null, or what weights are scaled by
};

template <class Rules, class Layout>
class Expansion {
 public:
  Expansion(const Layout& layout, const TermWeights& weights) : layout_(layout), weights_(weights) {}

  Item goal() const { return {complete_span(Side::right, 0, layout_.words())}; }

  // Where the item's number lies in the chart.
  std::ptrdiff_t offset(const Item& item) const {
    if constexpr (Layout::kSharedJoins) {
      return layout_.offset(item.span);
    } else {
      if (item.span.kind == SpanKind::join) return layout_.at(Between{item.span, item.arc, item.slot}).offset;
      if constexpr (Rules::kAugmented) {
        if (item.span.kind == SpanKind::augmented) {
          return layout_.at(Augmented{item.span, item.arc, item.slot}).offset + item.lane;
        }
      }
      if constexpr (Rules::kOutermost) {
        if (item.span.kind == SpanKind::incomplete) return layout_.at(Alone{item.span, item.arc}).offset;
      }
      return layout_.at(Same{item.span, item.arc}).offset + item.lane;
    }
  }
  // A single word has nothing below it.
  static bool is_leaf(const Item& item) {
    return item.span.kind == SpanKind::complete && item.span.width == 0;
  }

  // Calls f(Term) for every way to build the item.
  template <class F>
  void expand(const Item& item, F&& f) const {
    if (item.span.kind == SpanKind::join) {
      expand_join(item, f);
    } else if (item.span.side == Side::right) {
      expand_headed<Side::right>(item, f);
    } else {
      expand_headed<Side::left>(item, f);
    }
  }

 private:
  Item operand(const Item& parent, const Same& same) const { return {same.span, same.arc, parent.lane}; }
  Item operand(const Item& /*parent*/, const Between& between) const {
    return {between.span, between.arc, 0, static_cast<std::uint16_t>(between.slot)};
  }
  Item operand(const Item& parent, const Augmented& augmented) const {
    return {augmented.span, augmented.arc, parent.lane, static_cast<std::uint16_t>(augmented.slot)};
  }
  Item operand(const Item& /*parent*/, const Alone& alone) const { return {alone.span, alone.arc}; }
  Item operand(const Item& /*parent*/, const Under& under) const {
    if constexpr (Layout::kSharedJoins) {
      return {under.span};
    } else {
      return {under.span, ArcSet::kNone, static_cast<std::uint16_t>(layout_.lane(under.arc))};
    }
  }
  template <class... Operands>
  Term make_term(double weight, const Item& parent, const Operands&... operands) const {
    return {weight, {operand(parent, operands)...}, sizeof...(Operands)};
  }

  double weight(const Item& item, int slot, int second_slot = 0) const {
    if constexpr (Layout::kSharedJoins) {
      return weights_.placed[layout_.weight(item.span.side, item.span.head(), item.span.width, slot)];
    } else {
      const double weight = weights_.source->weight(item.arc, slot, second_slot,
                                                    item.lane - layout_.grandparents(item.arc).first);
      if (weights_.highest == nullptr) return weight;
      const ArcSet& arcs = layout_.parts().arcs();
      double scale = weights_.highest[arcs[item.arc].modifier];
      if constexpr (Rules::kOutermost) {
        const int sibling = slot > 0 ? arcs[item.arc - arcs.outgoing_rank(item.arc) + slot - 1].modifier : 0;
        scale += outermost_part(weights_.highest, arcs.words())[sibling];
      }
      return std::exp(weight - scale);
    }
  }
  double outermost_weight(const Item& item, int arc) const {
    const PartIndex& parts = layout_.parts();
    const int place = item.lane - layout_.grandparents(arc).first;
    const double weight = weights_.source->potentials.of_arc(parts, PartKind::outermost, arc)[place];
    if (weights_.highest == nullptr) return weight;
    return std::exp(weight - outermost_part(weights_.highest, parts.words())[parts.arcs()[arc].modifier]);
  }

  template <Side side, class F>
  void expand_headed(const Item& item, F&& f) const {
    const int head = item.span.head();
    const int width = item.span.width;
    if (item.span.kind == SpanKind::complete) {
      if constexpr (Rules::kOutermost) {
        Rules::template complete<side>(layout_, head, width, [&](Alone a, Under b, Outermost part) {
          f(make_term(outermost_weight(item, part.arc), item, a, b));
        });
      } else {
        Rules::template complete<side>(layout_, head, width,
                                       [&](Same a, Under b) { f(make_term(weights_.one, item, a, b)); });
      }
      return;
    }
    const int arc = item.arc;
    if constexpr (Rules::kAugmented) {
      if (item.span.kind == SpanKind::augmented) {
        Rules::template augmented<side>(
            layout_, head, width, arc, item.slot, [&](int second_slot, auto... operands) {
              f(make_term(weight(item, item.slot, second_slot), item, operands...));
            });
      } else {
        Rules::template incomplete<side>(
            layout_, head, width, arc, [&](Augmented operand) { f(make_term(weights_.one, item, operand)); });
      }
    } else if constexpr (Rules::kSiblings) {
      Rules::template incomplete<side>(layout_, head, width, arc, [&](int slot, auto... operands) {
        f(make_term(weight(item, slot), item, operands...));
      });
    } else {
      Rules::template incomplete<side>(layout_, head, width, arc, [&](auto... operands) {
        f(make_term(weight(item, 0), item, operands...));
      });
    }
  }

  template <class F>
  void expand_join(const Item& item, F&& f) const {
    const int left = item.span.left;
    const int width = item.span.width;
    if constexpr (Layout::kSharedJoins) {
      Rules::join(layout_.middles(left, width), left, width,
                  [&](const Span& a, const Span& b) { f(make_term(weights_.one, item, Same{a}, Same{b})); });
    } else {
      const ArcSet& arcs = layout_.parts().arcs();
      const Arc outer = arcs[item.arc];
      const int inner = arcs.outgoing(outer.head, ArcSet::side(outer)).first + item.slot - 1;
      const bool outer_is_left = outer.modifier == left;
      const int left_arc = outer_is_left ? item.arc : inner;
      const int right_arc = outer_is_left ? inner : item.arc;
      Rules::join(layout_.middles(left, width), left, width, [&](const Span& a, const Span& b) {
        f(make_term(weights_.one, item, Under{a, left_arc}, Under{b, right_arc}));
      });
    }
  }

  const Layout& layout_;
  TermWeights weights_;
};

// Walks from the goal to the words. At each item, `choose(item, expansion)` returns the term to follow.
// `stack` has room for the items of a tree.
template <class Expanded, class Choose>
void descend(const Expanded& expansion, std::span<Item> stack, std::span<int> heads, Choose&& choose) {
  heads[0] = 0;
  std::size_t waiting = 0;
  stack[waiting++] = expansion.goal();
  while (waiting > 0) {
    const Item item = stack[--waiting];
    if (has_arc(item)) heads[item.span.end()] = item.span.head();
    const Term term = choose(item);
    for (int i = 0; i < term.operand_count; ++i) {
      if (!expansion.is_leaf(term.operands[i])) stack[waiting++] = term.operands[i];
    }
  }
}

}  // namespace copse
