#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "parallel/task_pool.h"
#include "parser_training/feature_index.h"
#include "parser_training/feature_lists.h"
#include "parser_training/naive_example.h"
#include "parser_training/tiny_treebank.h"
#include "parser_training/tree_objective.h"

namespace copse::testing {

// A tiny treebank with its features, as learners get it, and as the oracle sees it.
struct TinyProblem {
  TinyProblem(const TinyProblem&) = delete;
  TinyProblem& operator=(const TinyProblem&) = delete;
  TinyProblem(Generator& random, Factorization factorization, const TinyTreebankKind& kind, FeatureSet set,
              const FeatureIndexOptions& index_options, TaskPool& pool)
      : sentences(tiny_treebank(random, kind)),
        trees(kind.trees),
        extractor(options_with(set), factorization),
        index(index_features(sentences, extractor, index_options, pool)),
        lists(sentences, extractor, index, pool),
        objective(lists, trees) {}

  // Borrowed from the problem.
  std::vector<std::unique_ptr<NaiveExample>> naive_examples() const {
    const NumbersByHash numbers = numbers_by_hash(index);
    std::vector<std::unique_ptr<NaiveExample>> examples;
    for (const TrainingSentence& example : sentences) {
      examples.push_back(std::make_unique<NaiveExample>(example, extractor, numbers, trees));
    }
    return examples;
  }

  std::vector<TrainingSentence> sentences;
  TreeSpace trees;
  FeatureExtractor extractor;
  FeatureIndex index;
  FeatureLists lists;
  TreeObjective objective;

 private:
  static FeatureOptions options_with(FeatureSet set) {
    FeatureOptions options;
    options.set = set;
    return options;
  }
};

// Multiples of 1/4096, so that floats hold them and the small steps of difference quotients exactly.
inline std::vector<float> random_weights(Generator& random, std::size_t count) {
  std::vector<float> weights(count);
  for (float& weight : weights) weight = static_cast<float>(uniform_int(random, -2000, 2000)) / 4096;
  return weights;
}

// Consecutive numbers run through all combinations of these.
struct TinyProblemKind {
  Factorization factorization;
  TreeSpace trees;
  bool is_pruned;
};
inline TinyProblemKind tiny_problem_kind(int number) {
  constexpr std::size_t kinds = kFactorizations.size() + 1;
  const auto digits = static_cast<std::size_t>(number);
  const RootMode root = kRootModes[digits / kinds % 2];
  const bool is_pruned = digits / (2 * kinds) % 2 == 1;
  if (digits % kinds == kinds - 1) return {Factorization::first, {root, TreeKind::nonprojective}, is_pruned};
  return {kFactorizations[digits % kinds], root, is_pruned};
}
inline std::string describe(const TinyProblemKind& kind) {
  return std::string(copse::name(kind.factorization)) + ", root " +
         std::string(copse::name(kind.trees.root)) + ", " + std::string(copse::name(kind.trees.kind)) +
         (kind.is_pruned ? ", pruned" : "");
}

}  // namespace copse::testing
