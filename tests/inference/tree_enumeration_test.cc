// The oracle itself: known numbers of trees, and a sentence worked out by hand.
#include "inference/enumeration.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "inference/random_cases.h"

namespace copse::testing {
namespace {

TEST(Enumeration, FindsTheKnownNumbersOfProjectiveTrees) {
  constexpr std::array<long, 6> multi{1, 3, 12, 55, 273, 1428};
  constexpr std::array<long, 6> single{1, 2, 7, 30, 143, 728};
  for (int words = 1; words <= 6; ++words) {
    const std::vector<Heads>& trees = all_projective_trees(words);
    EXPECT_EQ(static_cast<long>(trees.size()), multi[words - 1]);
    EXPECT_EQ(std::count_if(trees.begin(), trees.end(), has_single_root), single[words - 1]);
    EXPECT_EQ(std::set<Heads>(trees.begin(), trees.end()).size(), trees.size());
  }
}

TEST(Enumeration, KnowsCyclesAndCrossingArcs) {
  EXPECT_TRUE(is_projective_tree({0, 2, 0, 2}));
  EXPECT_TRUE(is_projective_tree({0, 0, 0, 0}));
  EXPECT_FALSE(is_projective_tree({0, 1}));
  EXPECT_FALSE(is_projective_tree({0, 2, 1, 0}));
  EXPECT_FALSE(is_projective_tree({0, 3, 0, 0}));     // 3→1 covers 2, which hangs on the root
  EXPECT_FALSE(is_projective_tree({0, 0, 4, 1, 1}));  // 4→2 crosses 1→3
}

TEST(Enumeration, TakesTreesApartAsDefined) {
  // 3 is the root word, with 1 and 2 on its left, and 5 and 6 on its right; 4 hangs on 5.
  const Heads heads{0, 3, 3, 0, 5, 3, 3};
  std::set<std::tuple<int, int, int, int>> parts;
  for_each_part_of_tree(heads, [&](const Part& part) {
    parts.emplace(part.grandparent, part.head, part.sibling, part.modifier);
  });
  const std::set<std::tuple<int, int, int, int>> expected{{0, 3, 2, 1}, {0, 3, 3, 2}, {0, 0, 0, 3},
                                                          {3, 5, 5, 4}, {0, 3, 3, 5}, {0, 3, 5, 6}};
  EXPECT_EQ(parts, expected);
}

// Two words, all arcs. The trees are 0→1→2, 0→2→1, and 0→1, 0→2.
class TwoWords : public ::testing::Test {
 protected:
  TwoWords() : model_(2) {
    model_.factorization = Factorization::grandsibling;
    model_.candidates = {{0, 1}, {0, 2}, {1, 2}, {2, 1}};
    model_.potentials.at(Order::arc, {0, 0, 0, 1}) = 1;
    model_.potentials.at(Order::arc, {0, 0, 0, 2}) = 2;
    model_.potentials.at(Order::arc, {0, 1, 0, 2}) = 4;
    model_.potentials.at(Order::arc, {0, 2, 0, 1}) = 8;
    model_.potentials.at(Order::sibling, {0, 0, 1, 2}) = 16;
    model_.potentials.at(Order::grandchild, {0, 1, 0, 2}) = 32;
    model_.potentials.at(Order::grandsibling, {0, 2, 2, 1}) = 64;
  }

  TreeModel model_;
  const Heads chain_{0, 0, 1};
  const Heads reversed_{0, 2, 0};
  const Heads flat_{0, 0, 0};
};

TEST_F(TwoWords, ScoresAreSumsOverAllOrders) {
  const Enumeration oracle(model_);
  EXPECT_EQ(oracle.score(chain_), 1 + 4 + 32);
  EXPECT_EQ(oracle.score(reversed_), 2 + 8 + 64);
  EXPECT_EQ(oracle.score(flat_), 1 + 2 + 16);
  EXPECT_EQ(oracle.score({0, 2, 1}), kImpossible);
  ASSERT_EQ(oracle.trees().size(), 3u);
  EXPECT_EQ(*oracle.trees().front().heads, reversed_);
  EXPECT_EQ(*oracle.trees().back().heads, flat_);
}

TEST_F(TwoWords, SingleRootLeavesTwoTrees) {
  model_.root = RootMode::single;
  const Enumeration oracle(model_);
  EXPECT_EQ(oracle.trees().size(), 2u);
  EXPECT_EQ(oracle.score(flat_), kImpossible);
}

TEST_F(TwoWords, SumsByHand) {
  model_.factorization = Factorization::first;
  const Enumeration oracle(model_);
  const double chain = std::exp(5.0);
  const double reversed = std::exp(10.0);
  const double flat = std::exp(3.0);
  const double total = chain + reversed + flat;
  EXPECT_NEAR(static_cast<double>(oracle.log_partition()), std::log(total), 1e-12);
  const PartTable<long double> marginals = oracle.marginals();
  EXPECT_NEAR(static_cast<double>(marginals.at(Order::arc, {0, 0, 0, 1})), (chain + flat) / total, 1e-12);
  EXPECT_NEAR(static_cast<double>(marginals.at(Order::arc, {0, 2, 0, 1})), reversed / total, 1e-12);
  EXPECT_NEAR(static_cast<double>(oracle.entropy()),
              std::log(total) - (5 * chain + 10 * reversed + 3 * flat) / total, 1e-12);
  EXPECT_NEAR(static_cast<double>(oracle.most_expected_right_arcs(marginals)),
              2 * reversed / total + flat / total, 1e-12);
}

TEST_F(TwoWords, ConstraintsAndCandidatesTakeTreesAway) {
  model_.constraints.heads = {0, Constraints::kAnyHead, 0};
  EXPECT_EQ(Enumeration(model_).trees().size(), 2u);
  model_.constraints.forbidden = {{2, 1}};
  const Enumeration oracle(model_);
  ASSERT_EQ(oracle.trees().size(), 1u);
  EXPECT_EQ(*oracle.trees().front().heads, flat_);
  model_.candidates = {{0, 2}, {2, 1}};
  EXPECT_FALSE(Enumeration(model_).is_feasible());
}

TEST(RandomCases, RandomTreesAreProjectiveAndReachEveryTree) {
  Generator random = case_generator(0);
  for (RootMode root : kRootModes) {
    std::set<Heads> seen;
    for (int draw = 0; draw < 20000; ++draw) {
      const Heads tree = random_projective_tree(random, 4, root);
      ASSERT_TRUE(is_projective_tree(tree));
      ASSERT_TRUE(root == RootMode::multi || has_single_root(tree));
      seen.insert(tree);
    }
    EXPECT_EQ(seen.size(), root == RootMode::multi ? 55u : 30u);
  }
}

}  // namespace
}  // namespace copse::testing
