// Marginals are the gradient of the log-partition, and entropy follows from its derivative along a ray.
// Finite differences of one check the other, for sentences beyond enumeration.
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "inference/library_input.h"

namespace copse::testing {
namespace {

constexpr double kStep = 1e-4;
// The error of a central difference: third derivatives times step² / 6, and rounding divided by the step.
constexpr double kDifferenceTolerance = 1e-8;

double log_partition(const LibraryInput& input, Arithmetic arithmetic) {
  static TreeDistribution distribution;
  input.give_to(distribution, arithmetic);
  return distribution.log_partition();
}

double derivative_by_part(LibraryInput& input, Arithmetic arithmetic, double& potential) {
  const double original = potential;
  potential = original + kStep;
  const double above = log_partition(input, arithmetic);
  potential = original - kStep;
  const double below = log_partition(input, arithmetic);
  potential = original;
  return (above - below) / (2 * kStep);
}

void scale(Potentials& potentials, double factor) {
  for (Order order : kOrders) {
    for (double& potential : values_of(potentials, order)) potential *= factor;
  }
}

struct GradientCase {
  int words;
  CandidateKind candidates;
};

template <typename Check>
void for_each_sentence(std::span<const GradientCase> sentences, Check check) {
  int number = 0;
  for (const auto& [words, candidates] : sentences) {
    for (Factorization factorization : kFactorizations) {
      for (RootMode root : kRootModes) {
        for (Arithmetic arithmetic : {Arithmetic::linear, Arithmetic::log}) {
          if (!is_within_scale(++number)) continue;
          SCOPED_TRACE(case_name(number) + ": words " + std::to_string(words) + " " +
                       std::string(name(factorization)) + " " + std::string(name(root)) + " " +
                       std::string(name(candidates)) + " " + to_string(arithmetic));
          Generator random = case_generator(number);
          LibraryInput input;
          input.assign_random(random, words, factorization, root,
                              random_candidates(random, candidates, words, root), PotentialKind::normal);
          check(input, arithmetic, random);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(TreeGradient, MarginalsAreTheGradientOfTheLogPartition) {
  constexpr std::array sentences{GradientCase{2, CandidateKind::full}, GradientCase{7, CandidateKind::full},
                                 GradientCase{9, CandidateKind::around_tree},
                                 GradientCase{14, CandidateKind::full},
                                 GradientCase{20, CandidateKind::around_tree}};
  for_each_sentence(sentences, [](LibraryInput& input, Arithmetic arithmetic, Generator& random) {
    TreeDistribution distribution;
    input.give_to(distribution, arithmetic);
    const Marginals marginals = distribution.marginals();
    for (Order order : orders_of(input.parts.factorization())) {
      std::vector<double>& potentials = values_of(input.potentials, order);
      for (int i = 0; i < 40; ++i) {
        const int part = uniform_int(random, 0, static_cast<int>(potentials.size()) - 1);
        EXPECT_NEAR(values_of(marginals, order)[part],
                    derivative_by_part(input, arithmetic, potentials[part]), kDifferenceTolerance)
            << to_string(order) << " " << part;
      }
    }
  });
}

TEST(TreeGradient, EntropyIsLogPartitionLessItsDerivativeByTheScaleOfThePotentials) {
  constexpr std::array sentences{
      GradientCase{1, CandidateKind::full}, GradientCase{8, CandidateKind::around_tree},
      GradientCase{15, CandidateKind::full}, GradientCase{30, CandidateKind::around_tree}};
  for_each_sentence(sentences, [](LibraryInput& input, Arithmetic arithmetic, Generator&) {
    TreeDistribution distribution;
    input.give_to(distribution, arithmetic);
    const double at_one = distribution.log_partition();
    const double entropy = distribution.entropy();
    const Potentials original = input.potentials;
    scale(input.potentials, 1 + kStep);
    const double above = log_partition(input, arithmetic);
    input.potentials = original;
    scale(input.potentials, 1 - kStep);
    const double below = log_partition(input, arithmetic);
    const double expected_score = (above - below) / (2 * kStep);
    // Third derivatives grow with the score, hence the wider margin.
    EXPECT_NEAR(entropy, at_one - expected_score, 1e-5);
  });
}

}  // namespace
}  // namespace copse::testing
