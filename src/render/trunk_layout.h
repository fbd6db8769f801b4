#pragma once

#include <span>
#include <vector>

namespace copse {

// All arcs that leave a word share one vertical line, its trunk, which runs beside the rows of the words from
// the first to the last that is its head or one of its modifiers. Trunks stand in lanes; lane 1 is nearest to
// the words.
struct Trunk {
  int first = 0;
  int last = 0;
  int lane = 0;  // 0: not drawn, for there is nothing to draw or no lane left
  bool is_drawn() const { return lane > 0; }
};

struct TrunkLayout {
  std::vector<Trunk> trunks;  // by word; the root has none
  int lanes = 0;
  bool is_complete = true;  // every word with modifiers has a trunk that is drawn
};

// Gives every trunk the innermost lane that is outside of all trunks beside it that were laid before; those
// of the modifiers come before that of their head. So in a projective tree lines never cross, and as many
// lanes are used as the tree is high. Trunks for which `max_lanes` do not suffice are not drawn. Throws
// std::invalid_argument for heads that form a cycle.
TrunkLayout lay_out_trunks(std::span<const int> heads, int max_lanes);

}  // namespace copse
