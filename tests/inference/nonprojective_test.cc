// Distributions over all trees, crossing arcs or not, against the enumeration of all of them.
#include "inference/nonprojective_distribution.h"

#include <gtest/gtest.h>

#include <set>

#include "inference/chi_square.h"
#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

TreeModel nonprojective_model(Generator& random, CaseKind kind) {
  kind.factorization = Factorization::first;
  TreeModel model = random_model(random, kind);
  model.kind = TreeKind::nonprojective;
  return model;
}

// As for_each_random_model, and a few cases of seven words (262,144 trees).
template <typename Check>
void for_each_nonprojective_model(int cases_per_length, Check check) {
  for (int words = 1; words <= 7; ++words) {
    const int cases = words < 6 ? cases_per_length : words == 6 ? cases_per_length / 10 : 3;
    for (int index = 0; index < scaled(cases); ++index) {
      const int number = words * 1'000'000 + index;
      Generator random = case_generator(number);
      const CaseKind kind = case_kind(words, index);
      SCOPED_TRACE(case_name(number) + ": " + describe(kind));
      check(kind, nonprojective_model(random, kind), random);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(NonprojectiveEnumeration, FindsTheKnownNumbersOfTrees) {
  for (int words = 1; words <= 6; ++words) {
    const std::vector<Heads>& trees = all_trees(TreeKind::nonprojective, words);
    EXPECT_EQ(trees.size(), std::lround(std::pow(words + 1, words - 1)));
    EXPECT_EQ(std::count_if(trees.begin(), trees.end(), has_single_root),
              std::lround(std::pow(words, words - 1)));
  }
}

TEST(Nonprojective, SumsAgreeWithEnumeration) {
  for_each_nonprojective_model(400, [](const CaseKind& kind, const TreeModel& model, Generator&) {
    const Enumeration oracle(model);
    const LibraryInput input(model);
    if (!oracle.is_feasible()) {
      ++case_counts().infeasible;
      TreeDistribution distribution;
      input.give_to(distribution);
      expect_infeasible(distribution, model.words);
      return;
    }
    const PartTable<long double> marginals = oracle.marginals();
    under_every_arithmetic(input, is_extreme(kind.potentials), [&](TreeDistribution& distribution) {
      expect_close(oracle.log_partition(), distribution.log_partition(), "log-partition");
      expect_close(oracle.entropy(), distribution.entropy(), "entropy");
      expect_marginals(marginals, input.parts, distribution.marginals());
      expect_probabilities(distribution.marginals().arc, "arc");
      Heads heads = no_heads(model.words);
      const double right = distribution.min_risk_tree(heads);
      expect_close(oracle.most_expected_right_arcs(marginals), right, "expected right arcs");
      EXPECT_GT(oracle.score(heads), kImpossible);
      expect_close(Enumeration::expected_right_arcs(marginals, heads), right, "of the tree");
    });
  });
}

TEST(Nonprojective, BestTreesAgreeWithEnumeration) {
  for_each_nonprojective_model(400, [](const CaseKind&, const TreeModel& model, Generator& random) {
    const Enumeration oracle(model);
    if (!oracle.is_feasible()) return;
    const LibraryInput input(model);
    TreeDistribution distribution;
    input.give_to(distribution);
    Heads heads = no_heads(model.words);
    expect_close(oracle.trees().front().score, distribution.best_tree(heads), "best score");
    expect_close(oracle.score(heads), distribution.score(heads), "score of the best tree");
    EXPECT_EQ(heads[0], 0);
    const int k = uniform_int(random, 1, 30);
    std::vector<ScoredTree> trees;
    distribution.k_best(k, trees);
    ASSERT_EQ(trees.size(), std::min(oracle.trees().size(), static_cast<std::size_t>(k)));
    std::set<Heads> distinct;
    for (std::size_t rank = 0; rank < trees.size(); ++rank) {
      expect_close(oracle.trees()[rank].score, trees[rank].score, "k-best score");
      expect_close(oracle.score(trees[rank].heads), trees[rank].score, "score of a k-best tree");
      distinct.insert(trees[rank].heads);
    }
    EXPECT_EQ(distinct.size(), trees.size());
    const Heads& some = *oracle.trees()[random() % oracle.trees().size()].heads;
    expect_close(oracle.score(some) - oracle.log_partition(), distribution.log_probability(some), "log P");
  });
}

TEST(Nonprojective, ScoresOnlyTreesOfTheDistribution) {
  for_each_nonprojective_model(20, [](const CaseKind&, const TreeModel& model, Generator&) {
    if (model.words > 4) return;
    const Enumeration oracle(model);
    const LibraryInput input(model);
    TreeDistribution distribution;
    input.give_to(distribution);
    for_each_head_vector(model.words, [&](const Heads& heads) {
      expect_close(oracle.score(heads), distribution.score(heads), "score");
    });
  });
}

TEST(Nonprojective, SamplesPassAChiSquareTest) {
  const std::vector<PotentialKind> potentials{PotentialKind::normal, PotentialKind::normal_with_impossible,
                                              PotentialKind::integers, PotentialKind::mixed};
  const std::vector<CandidateKind> candidates{CandidateKind::full, CandidateKind::around_tree,
                                              CandidateKind::thinned};
  for (int number = 0; number < scaled(48); ++number) {
    const CaseKind kind{2 + number % 3,
                        Factorization::first,
                        kRootModes[number % 2],
                        candidates[number / 2 % candidates.size()],
                        potentials[number / 6 % potentials.size()],
                        number % 5 == 4};
    SCOPED_TRACE(case_name(number) + ": " + describe(kind));
    Generator random = case_generator(number);
    const TreeModel model = nonprojective_model(random, kind);
    const Enumeration oracle(model);
    if (!oracle.is_feasible()) continue;
    const LibraryInput input(model);
    under_every_arithmetic(input, true, [&](TreeDistribution& distribution) {
      EXPECT_TRUE(passes_chi_square_test(oracle, distribution, model.words, random));
    });
  }
}

TEST(Nonprojective, EverySampleBelongsToTheDistribution) {
  for_each_nonprojective_model(112, [](const CaseKind&, const TreeModel& model, Generator& random) {
    const Enumeration oracle(model);
    if (!oracle.is_feasible()) return;
    const LibraryInput input(model);
    under_every_arithmetic(input, true, [&](TreeDistribution& distribution) {
      Heads heads = no_heads(model.words);
      for (int draw = 0; draw < 20; ++draw) {
        const double score = distribution.sample(random, heads);
        ASSERT_GT(oracle.score(heads), kImpossible);
        expect_close(oracle.score(heads), score, "score of the sample");
      }
    });
  });
}

TEST(Nonprojective, MarginalsAreTheGradientOfLogPartition) {
  for (int number = 0; number < scaled(20); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    const int words = uniform_int(random, 2, 12);
    LibraryInput input;
    input.assign_random(
        random, words, Factorization::first, kRootModes[number % 2],
        random_arcs(random, words, 0.8, random_projective_tree(random, words, RootMode::single)),
        PotentialKind::normal);
    input.trees = TreeKind::nonprojective;
    TreeDistribution distribution;
    input.give_to(distribution);
    const std::vector<double> marginals = distribution.marginals().arc;
    constexpr double step = 1e-4;
    for (std::size_t arc = 0; arc < marginals.size(); ++arc) {
      const double potential = input.potentials.arc[arc];
      const auto log_partition_at = [&](double value) {
        input.potentials.arc[arc] = value;
        input.give_to(distribution);
        return distribution.log_partition();
      };
      const double slope =
          (log_partition_at(potential + step) - log_partition_at(potential - step)) / (2 * step);
      input.potentials.arc[arc] = potential;
      EXPECT_NEAR(slope, marginals[arc], 1e-7);
    }
  }
}

TEST(Nonprojective, RefusesHigherOrdersAndBadPotentials) {
  Generator random = case_generator(0);
  LibraryInput input;
  TreeDistribution distribution;
  for (const Factorization factorization : kFactorizations) {
    input.assign_random(random, 4, factorization, RootMode::multi, random_arcs(random, 4, 1),
                        PotentialKind::normal);
    input.trees = TreeKind::nonprojective;
    if (factorization == Factorization::first) continue;
    EXPECT_THROW(input.give_to(distribution), std::invalid_argument);
    EXPECT_THROW(distribution.log_partition(), std::logic_error);
  }
  input.assign_random(random, 4, Factorization::first, RootMode::multi, random_arcs(random, 4, 1),
                      PotentialKind::normal);
  input.trees = TreeKind::nonprojective;
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    input.potentials.arc[3] = bad;
    EXPECT_THROW(input.give_to(distribution), std::invalid_argument);
  }
  input.potentials.arc[3] = 0.0;
  input.give_to(distribution);
  Heads too_few(4);
  EXPECT_THROW(distribution.best_tree(too_few), std::invalid_argument);
  EXPECT_THROW(distribution.score(too_few), std::invalid_argument);
  input.potentials.arc.pop_back();
  EXPECT_THROW(input.give_to(distribution), std::invalid_argument);
}

// One workspace answers for both kinds in turn.
TEST(Nonprojective, KindsTakeTurns) {
  Generator random = case_generator(0);
  LibraryInput input;
  input.assign_random(random, 4, Factorization::first, RootMode::multi, random_arcs(random, 4, 1),
                      PotentialKind::integers);
  std::fill(input.potentials.arc.begin(), input.potentials.arc.end(), 0.0);
  TreeDistribution distribution;
  for (int round = 0; round < 2; ++round) {
    input.trees = TreeKind::projective;
    input.give_to(distribution);
    EXPECT_NEAR(std::exp(distribution.log_partition()), 55.0, 1e-9);
    input.trees = TreeKind::nonprojective;
    input.give_to(distribution);
    EXPECT_NEAR(std::exp(distribution.log_partition()), 125.0, 1e-9);
  }
}

}  // namespace
}  // namespace copse::testing
