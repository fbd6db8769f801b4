#include "parsing/arc_pruner.h"

#include <algorithm>

#include "model/hashed_potentials.h"

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

ArcPruner::ArcPruner(const LinearModel& model, RootMode root)
    : own_source_(std::make_unique<HashedPotentials>(model)), source_(own_source_.get()), root_(root) {}

void ArcPruner::prune(int words, const Constraints& constraints, double threshold,
                      std::vector<Arc>& candidates) {
  parts_.assign(words, {}, Factorization::first);
  source_->score_arcs(parts_.parts(), potentials_);
  trees_.assign(parts_.parts(), potentials_, root_, constraints);
  prune_again(threshold, candidates);
}

void ArcPruner::prune(const Sentence& sentence, const Constraints& constraints, double threshold,
                      std::vector<Arc>& candidates) {
  const Sentence* const pointer = &sentence;
  source_->prepare({&pointer, 1}, batch_);
  source_->assign({batch_, 0});
  prune(sentence.size(), constraints, threshold, candidates);
}

void ArcPruner::prune_again(double threshold, std::vector<Arc>& candidates) {
  candidates.clear();
  select_candidates(trees_, parts_.arcs(), threshold, candidates);
}

void ArcPruner::add_required(const Constraints& constraints, std::vector<Arc>& candidates) {
  for (int word = 1; word < static_cast<int>(constraints.heads.size()); ++word) {
    const int head = constraints.heads[static_cast<std::size_t>(word)];
    if (head != Constraints::kAnyHead) candidates.push_back({head, word});
  }
  // Without potentials, every tree is as good as any other: only whether there is one matters.
  surviving_.assign(parts_.arcs().words(), candidates, Factorization::first);
  no_potentials_.assign(surviving_.parts());
  constrained_.assign(surviving_.parts(), no_potentials_, root_, constraints);
  std::vector<int> heads(static_cast<std::size_t>(parts_.arcs().words()) + 1);
  try {
    constrained_.best_tree(heads);
    return;
  } catch (const InfeasibleError&) {
    constrained_.assign(parts_.parts(), potentials_, root_, constraints);
    constrained_.best_tree(heads);
  }
  for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
    candidates.push_back({heads[static_cast<std::size_t>(word)], word});
  }
}

}  // namespace copse
