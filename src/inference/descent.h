// Executors that walk from the goal down to the words and visit only the items they need: the best tree,
// sampling. (k_best.h is another.) They expand an item into the terms of its rule, the same rules that the
// sweeps walk upwards.
#pragma once

#include <cmath>
#include <cstddef>
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
  int arc = ArcSet::kNone;  // incomplete: its arc; join: the arc of the outer modifier
  int lane = 0;  // complete, incomplete: the parent of the head; join: the slot of the inner modifier
};

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
      if (item.span.kind == SpanKind::join) return layout_.at(Between{item.span, item.arc, item.lane}).offset;
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
    return {between.span, between.arc, between.slot};
  }
  Item operand(const Item& /*parent*/, const Under& under) const {
    if constexpr (Layout::kSharedJoins) {
      return {under.span};
    } else {
      return {under.span, ArcSet::kNone, layout_.lane(under.arc)};
    }
  }
  template <class... Operands>
  Term make_term(double weight, const Item& parent, const Operands&... operands) const {
    return {weight, {operand(parent, operands)...}, sizeof...(Operands)};
  }

  double weight(const Item& item, int slot) const {
    if constexpr (Layout::kSharedJoins) {
      return weights_.placed[layout_.weight(item.span.side, item.span.head(), item.span.width, slot)];
    } else {
      const double weight =
          weights_.source->weight(item.arc, slot, item.lane - layout_.grandparents(item.arc).first);
      if (weights_.highest == nullptr) return weight;
      return std::exp(weight - weights_.highest[layout_.parts().arcs()[item.arc].modifier]);
    }
  }

  template <Side side, class F>
  void expand_headed(const Item& item, F&& f) const {
    const int head = item.span.head();
    const int width = item.span.width;
    if (item.span.kind == SpanKind::complete) {
      Rules::template complete<side>(layout_, head, width,
                                     [&](Same a, Under b) { f(make_term(weights_.one, item, a, b)); });
      return;
    }
    const int arc = item.arc;
    if constexpr (Rules::kSiblings) {
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
    Rules::join(item.span.left, item.span.width, [&](const Span& a, const Span& b) {
      if constexpr (Layout::kSharedJoins) {
        f(make_term(weights_.one, item, Same{a}, Same{b}));
      } else {
        const ArcSet& arcs = layout_.parts().arcs();
        const Arc outer = arcs[item.arc];
        const int inner = arcs.outgoing(outer.head, ArcSet::side(outer)).first + item.lane - 1;
        const bool outer_is_left = outer.modifier == item.span.left;
        f(make_term(weights_.one, item, Under{a, outer_is_left ? item.arc : inner},
                    Under{b, outer_is_left ? inner : item.arc}));
      }
    });
  }

  const Layout& layout_;
  TermWeights weights_;
};

// Walks from the goal to the words. At each item, `choose(item, expansion)` returns the term to follow.
// `stack` is memory to be reused.
template <class Expanded, class Choose>
void descend(const Expanded& expansion, std::vector<Item>& stack, std::span<int> heads, Choose&& choose) {
  heads[0] = 0;
  stack.assign(1, expansion.goal());
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    if (expansion.is_leaf(item)) continue;
    if (item.span.kind == SpanKind::incomplete) heads[item.span.end()] = item.span.head();
    const Term term = choose(item);
    for (int i = 0; i < term.operand_count; ++i) stack.push_back(term.operands[i]);
  }
}

}  // namespace copse
