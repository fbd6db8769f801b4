#pragma once

#include <span>
#include <utility>
#include <vector>

namespace copse {

// Functions over the heads of a sentence: heads[m] is the head of word m, 0 for the root and -1 (kNoHead of
// treebank) for none; heads[0] is ignored. All results that are indexed by word have the size of `heads`.
// Heads outside -1..n are not allowed, but for is_tree(). All take time linear in the length, except for
// is_projective() and non_projective_arcs().

// The words of one cycle, each followed by its head and starting with the lowest; empty when there is none.
std::vector<int> find_cycle(std::span<const int> heads);

// Whether every word has a head 0..n and leads to the root. There may be several words under the root.
bool is_tree(std::span<const int> heads);
// The same with memory that is reused: nothing is allocated once it is large enough.
bool is_tree(std::span<const int> heads, std::vector<int>& workspace);

// The words whose head is the root, in order.
std::vector<int> roots(std::span<const int> heads);

// |head - modifier|, and 0 for a word without a head.
std::vector<int> arc_lengths(std::span<const int> heads);

// For each modifier, the next modifier of the same head on the same side towards the head: the head itself
// for the innermost one, -1 for a word without a head.
std::vector<int> inner_siblings(std::span<const int> heads);

// For each modifier the head of its head: 0 when the head is the root, -1 when either head is missing.
std::vector<int> grandparents(std::span<const int> heads);

// The functions below are about whole trees: is_tree(heads) must hold.

// The root has depth 0, its modifiers depth 1.
std::vector<int> depths(std::span<const int> heads);

// The first and the last word of the subtree of each word; for the root 0 and n.
std::vector<std::pair<int, int>> subtree_spans(std::span<const int> heads);

// An arc is projective when all words strictly between head and modifier descend from the head, and a tree
// when all its arcs are. Takes as many steps as the arcs are long together, and allocates nothing.
bool is_projective(std::span<const int> heads);

// The modifiers of the arcs that are not projective, in order. Linear for projective trees, quadratic at
// worst.
std::vector<int> non_projective_arcs(std::span<const int> heads);

}  // namespace copse
