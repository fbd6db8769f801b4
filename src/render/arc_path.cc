#include "render/arc_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace copse {
namespace {

constexpr double kCorner = 6.0;

// From the edge towards the arc.
double outwards(const ArcShape& arc) { return arc.turn < arc.edge ? -1.0 : 1.0; }

}  // namespace

std::string arc_line(const ArcShape& arc) {
  const double end = arc.edge + outwards(arc) * kArcTip;
  if (arc.from == arc.to) return fmt::format("M{:.1f} {:.1f}V{:.1f}", arc.to, arc.turn, end);
  // At the ends of a flat arc there is just room for the corners.
  const double corner = std::min(kCorner, std::abs(arc.to - arc.from) / 2);
  const double inwards = arc.to > arc.from ? corner : -corner;
  return fmt::format(
      "M{0:.1f} {1:.1f}V{2:.1f}Q{0:.1f} {3:.1f} {4:.1f} {3:.1f}H{5:.1f}Q{6:.1f} {3:.1f} {6:.1f} "
      "{2:.1f}V{7:.1f}",
      arc.from, arc.edge, arc.turn - outwards(arc) * corner, arc.turn, arc.from + inwards, arc.to - inwards,
      arc.to, end);
}

std::string arc_tip(const ArcShape& arc) {
  return fmt::format("M{:.1f} {:.1f}l-3.5 {:.1f}h7z", arc.to, arc.edge, outwards(arc) * kArcTip);
}

}  // namespace copse
