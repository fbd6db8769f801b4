#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "inference/test_settings.h"
#include "parsing/parser.h"
#include "parsing/toy_model.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

// Probabilities under constraints are those of the distribution without, divided by that of the constraints:
// compared with the sum over all trees, which are listed without constraints.
TEST(ConstrainedParser, ProbabilitiesAreConditional) {
  for (const Factorization factorization : {Factorization::sibling, Factorization::grandsibling}) {
    const ParserModel model = toy_model(factorization, RootMode::single, 1e-2);
    Parser parser(model);
    std::mt19937 random(11);
    int changed = 0;
    for (const Sentence& sentence : read_text(toy_treebank(25, 9))) {
      if (sentence.size() > 9) continue;
      parser.assign(sentence);
      std::vector<ScoredTree> trees;
      parser.trees().k_best(100'000, trees);
      ASSERT_LT(trees.size(), 100'000U);
      const double log_partition = parser.trees().log_partition();
      // A head that the model finds possible, and not the best one.
      const std::vector<int>& other = trees[random() % trees.size()].heads;
      Constraints constraints;
      constraints.heads.assign(other.size(), Constraints::kAnyHead);
      const std::size_t known = 1 + random() % (other.size() - 1);
      constraints.heads[known] = other[known];
      double all = 0.0;
      std::vector<double> expected(other.size());  // of the best tree's heads
      const std::vector<int> best = trees.front().heads;
      for (const ScoredTree& tree : trees) {
        if (tree.heads[known] != other[known]) continue;
        const double probability = std::exp(tree.score - log_partition);
        all += probability;
        for (std::size_t word = 1; word < other.size(); ++word) {
          if (tree.heads[word] == best[word]) expected[word] += probability;
        }
      }
      parser.assign(sentence, constraints);
      for (std::size_t word = 1; word < other.size(); ++word) {
        const int arc = parser.arcs().find(best[word], static_cast<int>(word));
        ASSERT_GE(arc, 0);
        EXPECT_NEAR(parser.trees().marginals().arc[static_cast<std::size_t>(arc)], expected[word] / all,
                    1e-9);
      }
      changed += other[known] != best[known] ? 1 : 0;
    }
    EXPECT_GT(changed, 0);
  }
}

// Arcs that were pruned can be required, and so can arcs that need others that were pruned.
TEST(ConstrainedParser, WhatIsRequiredIsNotPruned) {
  const ParserModel model = toy_model(Factorization::grandsibling, RootMode::single, 0.5);
  Parser parser(model);
  for (const Sentence& sentence : read_text(toy_treebank(20, 10))) {
    Constraints constraints;
    const auto positions = static_cast<std::size_t>(sentence.size()) + 1;
    constraints.heads.assign(positions, Constraints::kAnyHead);
    // The last word first, everything else wherever it can.
    constraints.heads[1] = sentence.size();
    parser.assign(sentence, constraints);
    std::vector<int> heads(positions);
    parser.trees().best_tree(heads);
    EXPECT_TRUE(is_projective(heads));
    if (sentence.size() > 1) {
      EXPECT_EQ(heads[1], sentence.size());
    }
  }
}

}  // namespace
}  // namespace copse::testing
