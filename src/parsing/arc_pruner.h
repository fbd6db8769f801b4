#pragma once

#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "features/sentence_parts.h"
#include "model/part_scorer.h"

namespace copse {

// Appends the arcs that are worth a closer look to `candidates`: those whose probability is at least
// `threshold` times that of the most probable head of the same word, and those of the best tree, so that
// there always is a tree. `trees` is the first-order distribution over `arcs`.
void select_candidates(TreeDistribution& trees, const ArcSet& arcs, double threshold,
                       std::vector<Arc>& candidates);

// Chooses the candidate arcs of sentences with the exact marginals of a first-order model. A workspace for
// one thread.
class ArcPruner {
 public:
  // Borrows the model, of which only the features of arcs are used.
  ArcPruner(const LinearModel& model, RootMode root) : scorer_(model), root_(root) {}

  // Overwrites `candidates`.
  void prune(const Sentence& sentence, const Constraints& constraints, double threshold,
             std::vector<Arc>& candidates);
  // The same for the sentence of the last call with another threshold, which costs next to nothing.
  void prune_again(double threshold, std::vector<Arc>& candidates);

 private:
  PartScorer scorer_;
  RootMode root_;
  SentenceParts parts_;
  Potentials potentials_;
  TreeDistribution trees_;
};

}  // namespace copse
