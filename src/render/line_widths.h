#pragma once

#include "render/tree_drawing.h"

namespace copse {

// How the columns of a line are shared out; 0 for what is not shown.
struct LineWidths {
  int number = 0;  // digits of the words' numbers
  int lanes = 0;   // at most so many
  int lane_pitch = 2;
  int form = 0;
  int label = 0;
  int percent = 0;
  int bar = 0;
  int doubt_mark = 0;
  int note = 0;
  bool has_references = false;  // there is room for the numbers of heads at the left edge

  int root_stub() const { return has_references ? number + 2 : 2; }  // columns left of all lanes
  int lane_column(int lane, int lanes_used) const { return root_stub() + lane_pitch * (lanes_used - lane); }
  int arrow_column(int lanes_used) const { return lane_column(0, lanes_used); }
  int total() const;
};

// Everything at its full width if it fits into `columns`, else what remains after giving up the less
// important.
LineWidths share_out_columns(const DrawableTree& tree, int lanes_needed, bool show_numbers, int columns);

}  // namespace copse
