#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "copse/inference/factorization.h"
#include "features/coarse_tags.h"
#include "features/template_set.h"
#include "optimisers/learner_kind.h"

namespace copse {

struct TrainingOptions {
  Factorization factorization = Factorization::grandsibling;
  LearnerKind learner = LearnerKind::lbfgs;
  RootMode root = RootMode::multi;
  // Nonprojective trees need the first-order factorization, and stay as they are in the training data.
  TreeKind trees = TreeKind::projective;
  FeatureSet features = FeatureSet::rich;
  std::optional<CoarseRule> coarse;  // otherwise the treebank's tags decide
  double l2 = 3.0;                   // of the objective - log-likelihood + l2 / 2 * |w|^2
  std::vector<double> l2_choices;    // if not empty: the best of these, by development data
  double l1 = 0.0;
  // Of lbfgs and adagrad: what is added to the score of every wrong arc while learning (softmax-margin,
  // Gimpel and Smith 2010), so that gold trees must win by a distance. 0 is plain likelihood.
  double margin = 1.0;
  int iterations = 0;  // 0: the learner's default
  // With development data: iterations stop that bring next to nothing there (see StoppingRule). 0: never.
  // Without a value, 20 steps of lbfgs; other learners make few passes anyway.
  std::optional<int> patience_iterations;
  int max_length = 100;  // longer sentences are left out, of development data, too
  // Development sentences with more parts are left out; see ParserOptions::max_parts.
  std::int64_t max_parts = 20'000'000;
  int cutoff = 1;  // features that gold trees have less often get no weight
  bool candidate_features =
      false;  // features of all candidate parts get weights, not those of gold trees alone
  // Of lbfgs and adagrad: if there are more features, the run begins with a few iterations to find out which
  // matter, and goes on with so many. 0 keeps all. Without a value, three million, and a third of that for
  // first-order models, which look at all arcs.
  std::optional<std::size_t> max_features;
  // How many bytes training may take. Features of as many sentences are kept from pass to pass as fit in:
  // speed depends on it, the model does not. What training needs besides is taken in any case.
  std::size_t memory = std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = 1;
  int kbest = 10;  // of MIRA

  // Learn labels together with the trees: the model then scores parts with the labels of the arcs that end
  // them. Features get a weight for the labels that they were seen with at least `label_cutoff` times.
  bool joint_labels = false;
  int label_cutoff = 2;

  // Of the cascade; a threshold of 0 prunes nothing.
  double prune_threshold = 4e-4;
  int prune_folds = 2;

  TreeSpace tree_space() const { return {root, trees}; }
  // Of networks, the data decide.
  int most_iterations() const {
    constexpr int kLbfgsIterations = 200;
    constexpr int kPasses = 10;
    if (iterations > 0) return iterations;
    return learner == LearnerKind::lbfgs ? kLbfgsIterations : kPasses;
  }
  std::size_t most_features() const {
    constexpr std::size_t kMost = 3'000'000;
    constexpr std::size_t kMostOfFirstOrder = 1'000'000;
    return max_features.value_or(factorization == Factorization::first ? kMostOfFirstOrder : kMost);
  }
  int patience() const {
    constexpr int kLbfgsPatience = 20;
    return patience_iterations.value_or(learner == LearnerKind::lbfgs ? kLbfgsPatience : 0);
  }
};

}  // namespace copse
