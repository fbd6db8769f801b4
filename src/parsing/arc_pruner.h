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

  // Overwrites `candidates`. The sentence is the one that the source is assigned.
  void prune(int words, const Constraints& constraints, double threshold, std::vector<Arc>& candidates);
  // A sentence alone.
  void prune(const Sentence& sentence, const Constraints& constraints, double threshold,
             std::vector<Arc>& candidates);
  // The same for the sentence of the last call with another threshold, which costs next to nothing.
  void prune_again(double threshold, std::vector<Arc>& candidates);

  // Adds to the candidates of the last sentence what trees under the constraints need: the required arcs, and
  // where that is not enough for a tree, those of the best one. The others stay as they are, so that
  // probabilities under constraints are the conditional ones of the distribution without.
  void add_required(const Constraints& constraints, std::vector<Arc>& candidates);

 private:
  std::unique_ptr<PotentialSource> own_source_;  // if it was made here
  PotentialSource* source_;
  RootMode root_;
  PreparedBatch batch_;  // of a sentence alone
  SentenceParts parts_;
  Potentials potentials_;
  TreeDistribution trees_;
  // For adding what is required.
  SentenceParts surviving_;
  Potentials no_potentials_;
  TreeDistribution constrained_;
};

}  // namespace copse
