#pragma once

#include <cstdint>
#include <span>

#include "render/arc_diagram.h"

namespace copse {

// What a system made of a word.
enum class Verdict : uint8_t { right, wrong_label, wrong_head };

struct ComparedWord {
  Verdict verdict = Verdict::right;
  bool is_scored = true;  // others are drawn paler
};

// The arcs of two trees over the same words. Above the words are the gold arcs: those that the system has
// too, those where it has another label ("gold ≠ system"), and those that it missed. Below the words are the
// arcs that only the system has. `words` has n + 1 entries, of which entry 0 is ignored. Tooltips tell more:
// the probability of an arc, if MISC has it, among other things.
//
// Its elements have classes (both, relabelled, missed, extra, pale, ...) that the page gives colours.
//
// std::invalid_argument unless both sentences and `words` have the same size, and for gold heads as in
// draw_arc_diagram. The system may have cycles. DataError for a P= that is no probability.
ArcDiagram draw_comparison(const Sentence& gold, const Sentence& system, std::span<const ComparedWord> words);

}  // namespace copse
