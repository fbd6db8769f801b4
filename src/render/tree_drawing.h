#pragma once

#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "render/style.h"

namespace copse {

// What is drawn. All vectors have n + 1 entries, of which entry 0 is ignored; the last three may be empty.
struct DrawableTree {
  std::vector<std::string> forms;
  std::vector<int> heads;             // 0 for the root, kNoHead for none
  std::vector<std::string> labels;    // of the arc to the head
  std::vector<double> probabilities;  // of the arc to the head; NaN for none
  std::vector<std::string> notes;     // a remark at the end of a word's line
};

struct DrawOptions {
  Canvas canvas;
  double doubt_below = 0.9;   // arcs of a lower probability are marked by "?" and colour
  bool show_numbers = false;  // of the words; they are shown in any case when the drawing refers to them
};

// A line that knows its width, which its bytes and escape sequences do not tell.
struct DrawnLine {
  std::string text;
  int columns = 0;
};

// One line per word, and left of the words their arcs:
//
//      ╭─────► She          A line that starts at the left edge comes from the root. Each other one starts at
//    ──┼─────► saw          the vertical line of its head, the word whose own line runs through there. Where
//      │   ╭─► the          lines cross without a connection (in trees that are not projective) the vertical
//      ├───┴─► man          one is drawn. A word without a head has no arrow.
//      ╰─┬───► with
//        │ ╭─► a            If there is no room for the vertical line of a head, its modifiers' lines start
//        ╰─┴─► telescope    at the left edge with its number.
//
// Throws std::invalid_argument unless the sizes match, heads are within the sentence and free of cycles.
std::vector<DrawnLine> draw_tree_lines(const DrawableTree& tree, const DrawOptions& options = {});

// The same as one string, each line with its newline.
std::string draw_tree(const DrawableTree& tree, const DrawOptions& options = {});

// The forms and heads of a sentence, and where there are any, the labels and the probabilities of arcs that
// MISC has (P=0.9321). DataError for a P= that is no probability.
DrawableTree drawable(const Sentence& sentence);

// Drawings beside each other, as many as fit into `columns` (0: all) and the others below them.
std::string side_by_side(std::span<const std::vector<DrawnLine>> drawings, int columns);

}  // namespace copse
