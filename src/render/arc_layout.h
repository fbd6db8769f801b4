#pragma once

#include <span>
#include <vector>

namespace copse {

// Where the words and arcs of a tree lie, if the words stand in a line and the arcs above them. Positions are
// in pixels from the left edge of the first word.
struct ArcLayout {
  struct Arc {
    double from = 0.0;  // where it leaves the head
    double to = 0.0;    // where it reaches the modifier; for a word under the root, both are the same
    int level = 0;      // from 1 on, upwards; 0 for a word without a head
  };
  std::vector<double> centres;  // of the words
  std::vector<Arc> arcs;        // by modifier
  int levels = 0;               // the highest one
  double width = 0.0;
};

// All spans have n + 1 entries, of which entry 0 is ignored. `word_widths` and `label_widths` (of the label
// of the arc to the head) are what the texts need: there is room for all of them. Arcs lie above all arcs
// between their ends, so that in a projective tree no two lines cross. Heads are within kNoHead..n, and no
// word is its own head.
ArcLayout lay_out_arcs(std::span<const int> heads, std::span<const double> word_widths,
                       std::span<const double> label_widths);

// The same for arcs above the words and others below them: words lie at the same places in both layouts, with
// room for the labels of both.
struct ArcSide {
  std::span<const int> heads;
  std::span<const double> label_widths;
};
struct TwoSidedLayout {
  ArcLayout above;
  ArcLayout below;
};
TwoSidedLayout lay_out_two_sides(std::span<const double> word_widths, const ArcSide& above,
                                 const ArcSide& below);

}  // namespace copse
