// The items of the dynamic programs. A span is named by its head and its width; mirror images differ in side.
#pragma once

#include <cstddef>

#include "copse/inference/arc_set.h"

// For what the innermost loops use. Instrumented code is not meant to be quick, and takes minutes to compile
// when everything is inlined.
#ifdef COPSE_SANITIZED
#define COPSE_INLINE inline
#else
#define COPSE_INLINE __attribute__((always_inline)) inline
#endif

namespace copse {

enum class SpanKind : unsigned char {
  complete,    // a head and all its modifiers up to the far end: closed on that side
  incomplete,  // the arc from the head to the word at the far end, and all between them
  join,        // two complete spans that face each other, the left one headed at the left end
  augmented,   // an incomplete span of which the modifier next inside is known: the slot
};

// What items carry beside their span, so that the parts that reach beyond it can be scored.
enum class Contexts : unsigned char {
  none,
  parents,               // every item the parent of its head
  parents_of_complete,   // complete spans the parent of their head, incomplete ones nothing
  parents_and_siblings,  // every item the parent of its head, incomplete ones also the sibling next inside
};

struct Span {
  SpanKind kind;
  Side side;  // where the far end lies, seen from the head (join: right)
  int left;
  int width;

  int head() const { return side == Side::right ? left : left + width; }
  int end() const { return side == Side::right ? left + width : left; }
};

constexpr Side opposite(Side side) { return side == Side::right ? Side::left : Side::right; }
// The position `distance` away from `from`.
constexpr int beyond(Side side, int from, int distance) {
  return side == Side::right ? from + distance : from - distance;
}

constexpr Span headed(SpanKind kind, Side side, int head, int width) {
  return {kind, side, side == Side::right ? head : head - width, width};
}
constexpr Span complete_span(Side side, int head, int width) {
  return headed(SpanKind::complete, side, head, width);
}
constexpr Span incomplete_span(Side side, int head, int width) {
  return headed(SpanKind::incomplete, side, head, width);
}
constexpr Span augmented_span(Side side, int head, int width) {
  return headed(SpanKind::augmented, side, head, width);
}
constexpr Span join_span(int left, int width) { return {SpanKind::join, Side::right, left, width}; }

// Where two complete spans that face each other may meet: anywhere between their heads.
struct AllMiddles {
  int width;
};

// How an operand of a rule relates to the item that is built. With grandparents, an item is a whole row of
// numbers, one for each possible parent of its head.
struct Same {  // has the same head, and so the same parent, as the item that is built
  Span span;
  int arc = ArcSet::kNone;  // of an incomplete span
};
struct Under {  // its head hangs on this arc, whatever the parent of the item that is built
  Span span;
  int arc;
};
struct Between {  // the join of a modifier (the arc's) and its inner sibling (the slot's)
  Span span;
  int arc;
  int slot;
};
struct Augmented {  // has the same head; an incomplete span with its sibling (the slot's)
  Span span;
  int arc;
  int slot;
};
struct Alone {  // an incomplete span without parents
  Span span;
  int arc;
};
struct Outermost {  // the weights of the arc's outermost parts, by parent of the head
  int arc;
};

// Where the numbers of an operand lie: a row of lanes, or one number that all lanes share.
struct RowOperand {
  std::ptrdiff_t offset;
};
struct CellOperand {
  std::ptrdiff_t offset;
};

// The lanes of an item's row that are worth computing, in whole packs. Weight rows hold only these.
struct LaneRange {
  std::ptrdiff_t first;
  std::ptrdiff_t last;
};

}  // namespace copse
