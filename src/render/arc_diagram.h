#pragma once

#include <string>
#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// A drawing in SVG, as a group of elements that starts at (0, 0). Sizes are in pixels.
struct ArcDiagram {
  std::string markup;
  double width = 0.0;
  double height = 0.0;
};

// Words in a line, their tags and multiword tokens below them and the arcs above: lines that leave the head
// and end in an arrow at the modifier, with the label on top. Empty nodes are not drawn. Where MISC has the
// probability of an arc (P=0.9321), less probable arcs are thinner and paler, those below `doubt_below` are
// coloured and have their probability beside the label; a tooltip says it of each.
//
// A word without a head has no arrow. Cycles are drawn like anything else; std::invalid_argument for heads
// outside the sentence and a word that is its own head, DataError for a P= that is no probability.
ArcDiagram draw_arc_diagram(const Sentence& sentence, double doubt_below = 0.9);

// The style sheet that the elements refer to, in light and dark colours. It is for elements inside one of the
// class "copse".
std::string_view arc_diagram_style();

}  // namespace copse
