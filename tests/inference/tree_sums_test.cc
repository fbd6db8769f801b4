// Log-partition, marginals, entropy and probabilities of trees against enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

void expect_sums(const Enumeration& oracle, const LibraryInput& input, TreeDistribution& distribution) {
  expect_close(oracle.log_partition(), distribution.log_partition(), "log-partition");
  expect_marginals(oracle.marginals(), input.parts, distribution.marginals());
  expect_coherent(input.parts, distribution.marginals());
  // Entropy is the difference of two numbers of the size of the log-partition.
  const double size = std::max(1.0, std::abs(static_cast<double>(oracle.log_partition())));
  EXPECT_NEAR(distribution.entropy(), static_cast<double>(oracle.entropy()), kTolerance * size);
  EXPECT_GE(distribution.entropy(), 0);
}

TEST(TreeSums, AgreeWithEnumeration) {
  for_each_random_model(8 * kCombinations, [](const CaseKind& kind, const TreeModel& model, Generator&) {
    const Enumeration oracle(model);
    const LibraryInput input(model);
    if (!oracle.is_feasible()) ++case_counts().infeasible;
    under_every_arithmetic(input, is_extreme(kind.potentials), [&](TreeDistribution& distribution) {
      if (oracle.is_feasible()) {
        expect_sums(oracle, input, distribution);
      } else {
        expect_infeasible(distribution, model.words);
      }
    });
  });
}

void expect_probability(const Enumeration& oracle, TreeDistribution& distribution, const Heads& heads) {
  const long double score = oracle.score(heads);
  expect_close(score, distribution.score(heads), "score");
  const double log_probability = distribution.log_probability(heads);
  if (score == kImpossible) {
    EXPECT_EQ(log_probability, -std::numeric_limits<double>::infinity());
    return;
  }
  const auto size = static_cast<double>(std::max(std::abs(score), std::abs(oracle.log_partition())));
  EXPECT_NEAR(log_probability, static_cast<double>(score - oracle.log_partition()),
              kTolerance * std::max(1.0, size));
  EXPECT_LE(log_probability, 0);
}

// All assignments of heads, for short sentences: trees inside and outside the candidates, the constraints and
// the root mode; crossing arcs; cycles; self-loops. For the others, all projective trees.
TEST(TreeSums, ScoresAndProbabilitiesOfAllAssignmentsOfHeads) {
  for_each_random_model(4 * kCombinations, [](const CaseKind& kind, const TreeModel& model, Generator&) {
    const Enumeration oracle(model);
    if (!oracle.is_feasible()) return;
    const LibraryInput input(model);
    under_every_arithmetic(input, is_extreme(kind.potentials), [&](TreeDistribution& distribution) {
      const auto check = [&](const Heads& heads) {
        if (!::testing::Test::HasFailure()) expect_probability(oracle, distribution, heads);
      };
      if (model.words <= 4) {
        for_each_head_vector(model.words, check);
      } else {
        std::for_each(all_projective_trees(model.words).begin(), all_projective_trees(model.words).end(),
                      check);
      }
    });
  });
}

TEST(TreeSums, ScoreIgnoresTheEntryOfTheRoot) {
  for_each_random_model(20, [](const CaseKind&, const TreeModel& model, Generator&) {
    const Enumeration oracle(model);
    if (!oracle.is_feasible()) return;
    const LibraryInput input(model);
    TreeDistribution distribution;
    input.give_to(distribution);
    Heads heads = *oracle.trees().front().heads;
    heads[0] = -1;
    expect_close(oracle.trees().front().score, distribution.score(heads), "score");
  });
}

}  // namespace
}  // namespace copse::testing
