#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

// Pseudo-projective trees (Nivre and Nilsson 2005): arcs that make a tree non-projective are lifted, that is,
// their modifiers move from their head to the head of it, until the tree is projective. Labels remember what
// was done, so that a parser of projective trees can learn it, and its output can be turned back.
//
//   label|head     a lifted arc: `label` is its own, `head` the label of the word that it was taken from
//   label|         the same where the head's label is not kept (LiftScheme::path)
//   label%         arcs that others were lifted past, also after the above: label|head%
//
// So that nothing else can be taken for such a mark, the characters | % and \ of labels are written with a
// backslash before them in all trees, also in those where nothing is lifted.
enum class LiftScheme : std::uint8_t { head, path, head_and_path };

// "head", "path" and "head+path".
std::string_view name(LiftScheme scheme);
std::optional<LiftScheme> parse_lift_scheme(std::string_view name);

// Heads and labels have n + 1 entries each (else std::invalid_argument); entry 0 is ignored. The shortest arc
// is lifted first, the leftmost of several. A tree with a single root word keeps it. Heads that are no whole
// tree (kNoHead, cycles) stay as they are. Returns the number of arcs that were lifted.
int pseudo_projective_encode(std::span<int> heads, std::span<std::string> labels, LiftScheme scheme);

// Turns any tree with any labels back: the labels say how, and no mark is left in them. A lifted word goes
// down again to the first word with the right label that is found below its head, top-down and from left to
// right: along marked arcs, or along all if that leads nowhere. If there is none, it stays. A tree remains a
// tree, with the same root words or fewer. Heads that are no whole tree stay as they are. Returns the number
// of arcs that were restored.
int pseudo_projective_decode(std::span<int> heads, std::span<std::string> labels);

// The same on the HEAD and DEPREL columns of a sentence. All else is kept.
int pseudo_projective_encode(Sentence& sentence, LiftScheme scheme);
int pseudo_projective_decode(Sentence& sentence);

// What decoding does not bring back: labels alone do not always tell which of several words was the head.
struct WrongRestoration {
  int word;
  int head;      // before the encoding
  int restored;  // after the decoding
};

// Compares the heads before the encoding with those that decoding `encoded` would give.
std::vector<WrongRestoration> find_wrong_restorations(std::span<const int> heads, const Sentence& encoded);

}  // namespace copse
