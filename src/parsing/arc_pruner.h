#pragma once

#include <memory>
#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "features/sentence_parts.h"
#include "model/linear_model.h"
#include "model/potential_source.h"

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
  // Borrows the source, whose first-order pass is used.
  ArcPruner(PotentialSource& source, RootMode root) : source_(&source), root_(root) {}
  // Borrows the model, of which only the features of arcs are used.
  ArcPruner(const LinearModel& model, RootMode root);

  // Overwrites `candidates`. The sentence is one that the source has prepared, by its number.
  void prune(std::size_t number, int words, const Constraints& constraints, double threshold,
             std::vector<Arc>& candidates);
  // A sentence alone.
  void prune(const Sentence& sentence, const Constraints& constraints, double threshold,
             std::vector<Arc>& candidates);
  // The same for the sentence of the last call with another threshold, which costs next to nothing.
  void prune_again(double threshold, std::vector<Arc>& candidates);

 private:
  std::unique_ptr<PotentialSource> own_source_;  // if it was made here
  PotentialSource* source_;
  RootMode root_;
  SentenceParts parts_;
  Potentials potentials_;
  TreeDistribution trees_;
};

}  // namespace copse
