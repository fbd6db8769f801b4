#pragma once

#include <string>

namespace copse {

inline constexpr double kArcTip = 7.0;  // the length of the arrow's tip

// An arc between two words: where it leaves the head and reaches the modifier, at the edge of the line of
// words, and how high its horizontal part lies, above that edge or below it. `from` and `to` are the same for
// an arc from the root, which is a straight line.
struct ArcShape {
  double from = 0.0;
  double to = 0.0;
  double edge = 0.0;
  double turn = 0.0;
};

// The data of SVG paths: the line up to the tip, and the tip.
std::string arc_line(const ArcShape& arc);
std::string arc_tip(const ArcShape& arc);

}  // namespace copse
