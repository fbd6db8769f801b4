// Best tree, k best trees and minimum-risk tree against enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

void expect_best_tree(const Enumeration& oracle, TreeDistribution& distribution, int words) {
  Heads heads = no_heads(words);
  const double score = distribution.best_tree(heads);
  EXPECT_EQ(heads[0], 0);
  expect_close(oracle.trees().front().score, score, "best score");
  expect_close(oracle.score(heads), score, "score of the best tree");
}

// The complete list up to k: the right scores in the right order, each with a different tree of that score.
void expect_k_best(const Enumeration& oracle, const std::vector<ScoredTree>& trees, int k) {
  SCOPED_TRACE("k " + std::to_string(k));
  ASSERT_EQ(trees.size(), std::min(static_cast<std::size_t>(k), oracle.trees().size()));
  std::set<Heads> distinct;
  for (std::size_t rank = 0; rank < trees.size() && !::testing::Test::HasFailure(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    expect_close(oracle.trees()[rank].score, trees[rank].score, "score at this rank");
    expect_close(oracle.score(trees[rank].heads), trees[rank].score, "score of the tree");
    EXPECT_EQ(trees[rank].heads[0], 0);
    EXPECT_TRUE(distinct.insert(trees[rank].heads).second) << "the same tree twice";
    EXPECT_GE(trees[rank == 0 ? 0 : rank - 1].score, trees[rank].score);
  }
}

TEST(TreeDecoding, BestAndKBestAgreeWithEnumeration) {
  std::vector<ScoredTree> trees;
  TreeDistribution distribution;
  for_each_random_model(6 * kCombinations, [&](const CaseKind&, const TreeModel& model, Generator&) {
    const Enumeration oracle(model);
    const LibraryInput input(model);
    input.give_to(distribution);
    if (!oracle.is_feasible()) {
      ++case_counts().infeasible;
      expect_infeasible(distribution, model.words);
      return;
    }
    expect_best_tree(oracle, distribution, model.words);
    for (int k : {3, 1, static_cast<int>(oracle.trees().size()) + 5, 2}) {
      distribution.k_best(k, trees);
      expect_k_best(oracle, trees, k);
    }
  });
}

TEST(TreeDecoding, MinimumRiskAgreesWithEnumeration) {
  for_each_random_model(6 * kCombinations, [](const CaseKind& kind, const TreeModel& model, Generator&) {
    const Enumeration oracle(model);
    if (!oracle.is_feasible()) return;
    const LibraryInput input(model);
    const PartTable<long double> marginals = oracle.marginals();
    const auto most = static_cast<double>(oracle.most_expected_right_arcs(marginals));
    under_every_arithmetic(input, is_extreme(kind.potentials), [&](TreeDistribution& distribution) {
      Heads heads = no_heads(model.words);
      EXPECT_NEAR(distribution.min_risk_tree(heads), most, kTolerance);
      EXPECT_EQ(heads[0], 0);
      ASSERT_TRUE(is_projective_tree(heads) && oracle.is_admissible(heads));
      EXPECT_NEAR(static_cast<double>(Enumeration::expected_right_arcs(marginals, heads)), most, kTolerance);
    });
  });
}

}  // namespace
}  // namespace copse::testing
