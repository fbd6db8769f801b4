#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace copse {

inline constexpr int kNoDistance = -1;

// Where the words of a sentence stand in its tree. All vectors are indexed by word and have the size of the
// heads; what they say of entry 0 has no meaning.
struct TreeStructure {
  std::vector<int> root_distances;         // number of arcs up to the root; kNoDistance when none leads there
  std::vector<int> modifiers;              // how many words have this word as their head
  std::vector<int> siblings;               // how many other words have the same head; 0 without a head
  std::vector<uint8_t> is_non_projective;  // the arc from the head
};

// Heads need not form a tree: words may be without a head, and there may be cycles. For projectivity, a word
// without a head counts as a word under the root, and so does the first word of a cycle (tree.h says when an
// arc is projective).
TreeStructure tree_structure(std::span<const int> heads);

}  // namespace copse
