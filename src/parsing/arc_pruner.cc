#include "parsing/arc_pruner.h"

#include <algorithm>

namespace copse {

void select_candidates(TreeDistribution& trees, const ArcSet& arcs, double threshold,
                       std::vector<Arc>& candidates) {
  const auto positions = static_cast<std::size_t>(arcs.words()) + 1;
  std::vector<int> best_heads(positions);
  trees.best_tree(best_heads);
  const std::vector<double>& probabilities = trees.marginals().arc;
  std::vector<double> highest(positions, 0.0);
  for (int arc = 0; arc < arcs.size(); ++arc) {
    double& best = highest[static_cast<std::size_t>(arcs[arc].modifier)];
    best = std::max(best, probabilities[static_cast<std::size_t>(arc)]);
  }
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const auto modifier = static_cast<std::size_t>(arcs[arc].modifier);
    if (probabilities[static_cast<std::size_t>(arc)] >= threshold * highest[modifier] ||
        best_heads[modifier] == arcs[arc].head) {
      candidates.push_back(arcs[arc]);
    }
  }
}

void ArcPruner::prune(const Sentence& sentence, const Constraints& constraints, double threshold,
                      std::vector<Arc>& candidates) {
  parts_.assign(sentence.size(), {}, Factorization::first);
  scorer_.score(sentence, parts_.tuples(), potentials_);
  trees_.assign(parts_.parts(), potentials_, root_, constraints);
  prune_again(threshold, candidates);
}

void ArcPruner::prune_again(double threshold, std::vector<Arc>& candidates) {
  candidates.clear();
  select_candidates(trees_, parts_.arcs(), threshold, candidates);
}

}  // namespace copse
