// Samples: frequencies by a chi-square test, reproducibility, and membership in the distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "inference/chi_square.h"
#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

// For an even number of degrees of freedom there is a closed form.
double probability_above(double value, int even_degrees_of_freedom) {
  double term = std::exp(-value / 2);
  double sum = 0;
  for (int k = 0; k < even_degrees_of_freedom / 2; ++k) {
    sum += term;
    term *= value / 2 / (k + 1);
  }
  return sum;
}

TEST(TreeSampling, TheLimitIsExceededByChanceOnceInMillions) {
  for (int degrees : {2, 4, 10, 54, 142}) {
    EXPECT_LT(probability_above(chi_square_limit(degrees), degrees), 1e-6) << degrees;
    EXPECT_GT(probability_above(chi_square_limit(degrees), degrees), 1e-8) << degrees;
  }
}

TEST(TreeSampling, FrequenciesPassAChiSquareTest) {
  const std::vector<PotentialKind> potentials{PotentialKind::normal, PotentialKind::normal_with_impossible,
                                              PotentialKind::integers};
  int number = 0;
  for (Factorization factorization : kFactorizations) {
    for (RootMode root : kRootModes) {
      for (int round = 0; round < scaled(12); ++round, ++number) {
        const CaseKind kind{3 + round % 2,
                            factorization,
                            root,
                            round % 4 < 2 ? CandidateKind::full : CandidateKind::around_tree,
                            potentials[round % potentials.size()],
                            round % 6 == 5};
        SCOPED_TRACE(case_name(number) + ": " + describe(kind));
        Generator random = case_generator(number);
        const TreeModel model = random_model(random, kind);
        const Enumeration oracle(model);
        if (!oracle.is_feasible()) continue;
        const LibraryInput input(model);
        under_every_arithmetic(input, false, [&](TreeDistribution& distribution) {
          EXPECT_TRUE(passes_chi_square_test(oracle, distribution, model.words, random));
        });
      }
    }
  }
}

TEST(TreeSampling, FrequenciesOfASlightlyDifferentDistributionDoNotPass) {
  Generator random = case_generator(0);
  TreeModel model(4);
  model.candidates = random_arcs(random, model.words, 1);
  TreeDistribution distribution;
  const LibraryInput input(model);
  input.give_to(distribution);
  EXPECT_TRUE(passes_chi_square_test(Enumeration(model), distribution, model.words, random));
  model.potentials.at(Order::arc, {0, 0, 0, 2}) = 0.3;
  EXPECT_FALSE(passes_chi_square_test(Enumeration(model), distribution, model.words, random));
}

TEST(TreeSampling, EverySampleBelongsToTheDistribution) {
  for_each_random_model(
      2 * kCombinations, [](const CaseKind& kind, const TreeModel& model, Generator& random) {
        const Enumeration oracle(model);
        if (!oracle.is_feasible()) return;
        const LibraryInput input(model);
        under_every_arithmetic(input, is_extreme(kind.potentials), [&](TreeDistribution& distribution) {
          Heads heads = no_heads(model.words);
          for (int draw = 0; draw < 20; ++draw) {
            const double score = distribution.sample(random, heads);
            EXPECT_EQ(heads[0], 0);
            ASSERT_GT(oracle.score(heads), kImpossible);
            expect_close(oracle.score(heads), score, "score of the sample");
          }
        });
      });
}

TEST(TreeSampling, TheSeedDecides) {
  Generator random = case_generator(0);
  const int words = 12;
  LibraryInput input;
  input.assign_random(random, words, Factorization::grandsibling, RootMode::single,
                      random_arcs(random, words, 1), PotentialKind::normal);
  const auto draw = [&](std::uint64_t seed) {
    TreeDistribution distribution;
    input.give_to(distribution);
    Generator generator(seed);
    std::vector<Heads> trees(20, no_heads(words));
    for (Heads& heads : trees) distribution.sample(generator, heads);
    return trees;
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
  const std::vector<Heads> trees = draw(3);
  EXPECT_NE(trees.front(), trees.back());
}

}  // namespace
}  // namespace copse::testing
