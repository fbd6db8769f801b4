// The recursions, each rule written once. Executors (sums, maxima, their adjoints, sampling, k-best) walk the
// rules; layouts decide where the numbers lie and which modifiers are candidates. A rule calls `term` once
// for each way to build the item, with the operands whose values are multiplied.
//
//   J(i, j)    = Σ_k  C(i → k) · C(j → k+1)                                     two facing complete spans
//   C(h → e)   = Σ_m  I(h → m) · C(m → e)                                       m: outermost modifier of h
//   I(h → m)   = w(h, m) · J(h, m)                                              without siblings
//   I(h → m)   = w(h, –, m) · C(m → h+1)  +  Σ_s w(h, s, m) · I(h → s) · J(s, m)       with siblings
//
// With grandparents every item carries the parent g of its head: I and C of the same head keep it, whatever
// hangs below takes h in its place, and weights become w(g, h, …). Every tree has exactly one derivation, so
// the same rules serve sums, maxima and k-best lists of distinct trees.
//
// With second siblings, incomplete spans also carry the sibling s next inside of m:
//
//   I(h → m)    = Σ_s I(h → m; s)
//   I(h → m; –) = w(h, –, –, m) · C(m → h+1)
//   I(h → m; s) = Σ_t w(h, t, s, m) · I(h → s; t) · J(s, m)
//
// With outermost grandchildren, only complete spans carry the parent of their head: that m is outermost is
// known when the span is closed.
//
//   C(h → e)   = Σ_m  v(g, h, m) · I(h → m) · C(m → e)
//
// Compiled once per SIMD target, because the vector code of a target can only be inlined into functions of
// the same target; hence the unusual include guard.
#if defined(COPSE_RECURSION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_RECURSION_INL_H_
#undef COPSE_RECURSION_INL_H_
#else
#define COPSE_RECURSION_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <type_traits>

#include "inference/span.h"
#include "inference/used_spans.h"

// For lambdas that are called in the innermost loops.
#undef COPSE_TERM
#ifdef COPSE_SANITIZED
#define COPSE_TERM HWY_ATTR
#else
#define COPSE_TERM HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

// Calls f(distance from the left word).
template <class F>
COPSE_INLINE void for_each_middle(const AllMiddles& middles, F&& f) {
  for (int k = 0; k < middles.width; ++k) f(k);
}
// The left word's spans end at the left word or behind it, and the right word's before the right word or at
// it, so that nothing outside is found.
template <class F>
COPSE_INLINE void for_each_middle(const UsedMiddles& middles, F&& f) {
  const int last = middles.right / kBits;
  for (int i = middles.left / kBits; i <= (middles.right - 1) / kBits; ++i) {
    Bits shifted = middles.left_ends[i] >> 1;
    if (i < last) shifted |= middles.left_ends[i + 1] << (kBits - 1);
    for (Bits bits = middles.right_ends[i] & shifted; bits != 0; bits &= bits - 1) {
      f(i * kBits + std::countr_zero(bits) - middles.left);
    }
  }
}

template <bool kWithSiblings, Contexts kContexts>
struct Recursion {
  static constexpr bool kSiblings = kWithSiblings;
  static constexpr bool kAugmented = kContexts == Contexts::parents_and_siblings;
  static constexpr bool kOutermost = kContexts == Contexts::parents_of_complete;
  using Incomplete = std::conditional_t<kOutermost, Alone, Same>;

  template <class Middles, class Term>
  COPSE_INLINE static void join(const Middles& middles, int left, int width, Term&& term) {
    for_each_middle(middles, [&](int k) COPSE_TERM {
      term(complete_span(Side::right, left, k), complete_span(Side::left, left + width, width - 1 - k));
    });
  }

  template <Side side, class Layout, class Term>
  COPSE_INLINE static void complete(const Layout& layout, int head, int width, Term&& term) {
    const ArcSet::Range modifiers = layout.modifiers(side, head, width);
    for (int arc = modifiers.first; arc < modifiers.last; ++arc) {
      const int distance = layout.distance(side, head, arc);
      if (distance > width) return;
      const Incomplete inner{incomplete_span(side, head, distance), arc};
      const Under outer{complete_span(side, beyond(side, head, distance), width - distance), arc};
      if constexpr (kOutermost) {
        term(inner, outer, Outermost{arc});
      } else {
        term(inner, outer);
      }
    }
  }

  // Without siblings: the sum that the weight of the arc multiplies.
  template <Side side, class Layout, class Term>
  COPSE_INLINE static void incomplete(const Layout& layout, int head, int width, int arc,
                                      Term&& term) requires(!kSiblings) {
    const int left = side == Side::right ? head : head - width;
    if constexpr (Layout::kSharedJoins) {
      term(Same{join_span(left, width)});
    } else {
      const auto term_of_join = [&](const Span& a, const Span& b) COPSE_TERM {
        if constexpr (side == Side::right) {
          term(Same{a}, Under{b, arc});
        } else {
          term(Same{b}, Under{a, arc});
        }
      };
      if (layout.has_all_spans()) {
        join(AllMiddles{width}, left, width, term_of_join);
      } else {
        join(layout.middles(left, width), left, width, term_of_join);
      }
    }
  }

  // With siblings: each term has a weight of its own, that of its slot.
  template <Side side, class Layout, class Term>
  COPSE_INLINE static void incomplete(const Layout& layout, int head, int width, int arc,
                                      Term&& term) requires(kSiblings && !kAugmented) {
    const int modifier = beyond(side, head, width);
    term(0, Under{complete_span(opposite(side), modifier, width - 1), arc});
    for_each_sibling<side>(layout, head, width, arc, [&](int slot, int inner, int distance) COPSE_TERM {
      const int sibling = beyond(side, head, distance);
      const Span between = join_span(side == Side::right ? sibling : modifier, width - distance);
      term(slot, Incomplete{incomplete_span(side, head, distance), inner}, Between{between, arc, slot});
    });
  }

  // With second siblings: a sum over the slots, and each of them a sum over the slots of its sibling, in
  // which each term has a weight of its own.
  template <Side side, class Layout, class Term>
  COPSE_INLINE static void incomplete(const Layout& layout, int head, int width, int arc,
                                      Term&& term) requires(kAugmented) {
    const Span span = augmented_span(side, head, width);
    const int slots = layout.inner_siblings(side, head, width, arc).size() + 1;
    for (int slot = 0; slot < slots; ++slot) term(Augmented{span, arc, slot});
  }
  template <Side side, class Layout, class Term>
  COPSE_INLINE static void augmented(const Layout& layout, int head, int width, int arc, int slot,
                                     Term&& term) {
    const int modifier = beyond(side, head, width);
    if (slot == 0) return term(0, Under{complete_span(opposite(side), modifier, width - 1), arc});
    const int inner = layout.inner_siblings(side, head, width, arc).first + slot - 1;
    const int distance = layout.distance(side, head, inner);
    const int sibling = beyond(side, head, distance);
    const Between between{join_span(side == Side::right ? sibling : modifier, width - distance), arc, slot};
    const Span span = augmented_span(side, head, distance);
    for (int second = 0; second < slot; ++second) term(second, Augmented{span, inner, second}, between);
  }

  // Calls f(slot, arc of the sibling, its distance from the head), nearest sibling first.
  template <Side side, class Layout, class F>
  COPSE_INLINE static void for_each_sibling(const Layout& layout, int head, int width, int arc, F&& f) {
    const ArcSet::Range inner = layout.inner_siblings(side, head, width, arc);
    for (int sibling = inner.first; sibling < inner.last; ++sibling) {
      f(sibling - inner.first + 1, sibling, layout.distance(side, head, sibling));
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
