// What must hold for long sentences, whatever the potentials: laws within one distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "inference/expectations.h"
#include "inference/long_sentences.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

double log_number_of_trees(int words, RootMode root) {
  const auto log_binomial = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  const double n = words;
  return root == RootMode::multi ? log_binomial(3 * n, n) - std::log(2 * n + 1)
                                 : log_binomial(3 * n - 2, n - 1) - std::log(n);
}

double expected_right_arcs(const PartIndex& parts, const Marginals& marginals, const Heads& heads) {
  double sum = 0;
  for (int word = 1; word <= parts.words(); ++word) sum += marginals.arc[parts.arc(heads[word], word)];
  return sum;
}

void expect_tree_of_distribution(TreeDistribution& distribution, const LibraryInput& input,
                                 const Heads& heads, double score) {
  EXPECT_TRUE(is_projective_tree(heads));
  EXPECT_TRUE(input.root == RootMode::multi || has_single_root(heads));
  long double sum = 0;
  for_each_part_of_tree(heads, [&](const Part& part) {
    for (Order order : orders_of(input.parts.factorization(), part)) {
      const PartIndex::Position found = position(input.parts, order, part);
      ASSERT_NE(found, PartIndex::kNone) << to_string(order) << " " << to_string(part);
      sum += values_of(input.potentials, order)[found];
    }
  });
  expect_close(sum, score, "score of the tree");
  expect_close(sum, distribution.score(heads), "score by the library");
  EXPECT_LE(distribution.log_probability(heads), 0);
}

void expect_k_best_list(TreeDistribution& distribution, const LibraryInput& input, double best_score) {
  constexpr int k = 20;
  std::vector<ScoredTree> trees;
  distribution.k_best(k, trees);
  ASSERT_FALSE(trees.empty());
  EXPECT_LE(trees.size(), static_cast<std::size_t>(k));
  expect_close(best_score, trees.front().score, "best of k");
  std::set<Heads> distinct;
  for (std::size_t rank = 0; rank < trees.size(); ++rank) {
    expect_tree_of_distribution(distribution, input, trees[rank].heads, trees[rank].score);
    EXPECT_TRUE(distinct.insert(trees[rank].heads).second) << "the same tree twice, rank " << rank;
    EXPECT_LE(trees[rank].score, trees[rank == 0 ? 0 : rank - 1].score) << "rank " << rank;
  }
}

void expect_laws(TreeDistribution& distribution, const LibraryInput& input, Generator& random) {
  const int words = input.words();
  const double log_partition = distribution.log_partition();
  ASSERT_TRUE(std::isfinite(log_partition));
  const Marginals& marginals = distribution.marginals();
  expect_coherent(input.parts, marginals);
  EXPECT_GE(distribution.entropy(), 0);
  const double size = std::max(1.0, std::abs(log_partition));
  const double most_trees = log_number_of_trees(words, input.root);
  EXPECT_LE(distribution.entropy(), most_trees + kTolerance * size);

  Heads heads = no_heads(words);
  const double best_score = distribution.best_tree(heads);
  expect_tree_of_distribution(distribution, input, heads, best_score);
  EXPECT_GE(log_partition, best_score - kTolerance * size);
  EXPECT_LE(log_partition, best_score + most_trees + kTolerance * size);
  const double right_arcs_of_best = expected_right_arcs(input.parts, marginals, heads);

  const double most_right_arcs = distribution.min_risk_tree(heads);
  ASSERT_TRUE(is_projective_tree(heads));
  EXPECT_TRUE(input.root == RootMode::multi || has_single_root(heads));
  EXPECT_NEAR(most_right_arcs, expected_right_arcs(input.parts, marginals, heads), kTolerance * words);
  EXPECT_GE(most_right_arcs, right_arcs_of_best - kTolerance * words);

  for (int draw = 0; draw < 3; ++draw) {
    const double score = distribution.sample(random, heads);
    expect_tree_of_distribution(distribution, input, heads, score);
    EXPECT_LE(score, best_score + kTolerance * size);
  }
  expect_k_best_list(distribution, input, best_score);
}

class TreeInvariantsWith : public ::testing::TestWithParam<PotentialKind> {};

INSTANTIATE_TEST_SUITE_P(Potentials, TreeInvariantsWith, ::testing::ValuesIn(kPotentialKinds),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(TreeInvariantsWith, HoldForLongSentences) {
  TreeDistribution distribution;
  for_each_long_sentence(GetParam(), [&](const LibraryInput& input, Generator& random) {
    input.give_to(distribution);
    try {
      expect_laws(distribution, input, random);
    } catch (const InfeasibleError& error) {
      EXPECT_TRUE(has_impossible_parts(GetParam())) << error.what();
      ++case_counts().infeasible;
    }
  });
}

TEST(TreeInvariants, HoldForThreeHundredWords) {
  constexpr int words = 300;
  TreeDistribution distribution;
  LibraryInput input;
  int number = 0;
  for (Factorization factorization : kFactorizations) {
    for (RootMode root : kRootModes) {
      for (PotentialKind kind : {PotentialKind::normal, PotentialKind::thousands}) {
        if (!is_within_scale(++number)) continue;
        SCOPED_TRACE(case_name(number) + ": " + std::string(name(factorization)) + " " +
                     std::string(name(root)) + " " + std::string(name(kind)));
        Generator random = case_generator(number);
        input.assign_random(random, words, factorization, root, sparse_arcs(random, words, root), kind);
        input.give_to(distribution);
        expect_laws(distribution, input, random);
      }
    }
  }
}

TEST(TreeInvariants, WithoutPotentialsThePartitionCountsTheTrees) {
  LibraryInput input;
  Generator unused = case_generator(0);
  for (Factorization factorization : kFactorizations) {
    for (RootMode root : kRootModes) {
      for (int words : {1, 2, 5, 10, 23, 40, 80}) {
        if (words > 40 && has_grandparents(factorization)) continue;
        SCOPED_TRACE(std::string(name(factorization)) + " " + std::string(name(root)) + " words " +
                     std::to_string(words));
        input.assign_candidates(words, factorization, root, random_arcs(unused, words, 1));
        under_every_arithmetic(input, false, [&](TreeDistribution& counting) {
          expect_close(log_number_of_trees(words, root), counting.log_partition(), "log of the count");
          expect_close(log_number_of_trees(words, root), counting.entropy(), "entropy");
        });
      }
    }
  }
}

// A list longer than the number of trees holds all of them, so their weights add up to the partition.
TEST(TreeInvariants, CompleteListsAddUpToThePartition) {
  TreeDistribution distribution;
  LibraryInput input;
  std::vector<ScoredTree> trees;
  for (int number = 0; number < scaled(200); ++number) {
    Generator random = case_generator(number);
    const Factorization factorization = kFactorizations[number % 7];
    const RootMode root = kRootModes[number / 7 % 2];
    const int words = uniform_int(random, 7, 24);
    SCOPED_TRACE(case_name(number) + ": words " + std::to_string(words) + " " +
                 std::string(name(factorization)) + " " + std::string(name(root)));
    const std::vector<Arc> arcs = sparse_arcs(random, words, root, uniform(random, 0, 2.5));
    input.assign_candidates(words, factorization, root, arcs);
    input.give_to(distribution);
    const double count = std::exp(distribution.log_partition());
    if (count > 1000) continue;
    input.assign_random(random, words, factorization, root, arcs, PotentialKind::normal);
    input.give_to(distribution);
    distribution.k_best(1010, trees);
    EXPECT_EQ(static_cast<double>(trees.size()), std::round(count));
    double sum = 0;
    for (const ScoredTree& tree : trees) sum += std::exp(tree.score - trees.front().score);
    expect_close(trees.front().score + std::log(sum), distribution.log_partition(), "sum over the list");
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace copse::testing
