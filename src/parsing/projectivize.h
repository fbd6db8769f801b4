#pragma once

#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"

namespace copse {

// Whether heads, n + 1 integers of which the first is ignored, are one of the trees.
bool is_one_of(TreeSpace trees, std::span<const int> heads);

// Makes trees projective while keeping as many of their arcs as possible: the exact answer, found by decoding
// (as in Ma and Zhao 2012), not by lifting arcs one at a time. A workspace: keep one per thread.
class Projectivizer {
 public:
  Projectivizer() = default;
  Projectivizer(const Projectivizer&) = delete;
  Projectivizer& operator=(const Projectivizer&) = delete;

  // `heads` are n + 1 integers as Sentence::heads() gives them: entry 0 is ignored, and copied. Writes the
  // heads of the result to `out`, which must be other memory, and returns how many words with a head have
  // another one in it, or none.
  //
  // A tree that is projective and obeys the root mode comes back unchanged, in linear time. Any other vector
  // of heads, also one with cycles or words that are their own heads, becomes a projective tree that shares
  // the most arcs with it. Among such trees, changed words hang on ancestors of their old heads wherever
  // possible, and on near ones rather than far ones.
  //
  // Where some words have no head (kNoHead), the known arcs are kept if some projective tree contains them
  // all; otherwise the fewest possible lose their heads. Words without a head get none: choosing one would be
  // guessing.
  //
  // With TreeKind::nonprojective the same holds without the word projective: trees change only to obey the
  // root mode.
  //
  // Throws DataError for a head that is neither kNoHead nor 0..n.
  int projectivize(std::span<const int> heads, TreeSpace trees, std::vector<int>& out);

 private:
  void score_arcs(std::span<const int> heads, RootMode root);
  void reward_substitutes(std::span<const int> heads, RootMode root, int word, double score);

  ArcSet arcs_;
  PartIndex parts_;  // refers to arcs_
  Potentials potentials_;
  TreeDistribution trees_;
  std::vector<int> best_;
  std::vector<int> visited_for_;  // per word: for which word it was seen last on the way to the root
};

}  // namespace copse
