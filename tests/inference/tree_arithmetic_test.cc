// Fast arithmetic against reference arithmetic, for sentences far beyond enumeration.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "inference/expectations.h"
#include "inference/long_sentences.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

void expect_same_sums(const LibraryInput& input, TreeDistribution& fast, TreeDistribution& reference) {
  expect_close(reference.log_partition(), fast.log_partition(), "log-partition");
  const double size = std::max(1.0, std::abs(reference.log_partition()));
  EXPECT_NEAR(reference.entropy(), fast.entropy(), kTolerance * size);
  for (Order order : orders_of(input.parts.factorization())) {
    EXPECT_LE(largest_difference(values_of(reference.marginals(), order), values_of(fast.marginals(), order)),
              kTolerance)
        << to_string(order);
  }
  Heads heads = no_heads(input.words());
  const double expected_right = reference.min_risk_tree(heads);
  EXPECT_NEAR(fast.min_risk_tree(heads), expected_right, kTolerance * input.words());
}

class TreeArithmetic : public ::testing::TestWithParam<PotentialKind> {};

INSTANTIATE_TEST_SUITE_P(Potentials, TreeArithmetic, ::testing::ValuesIn(kPotentialKinds),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(TreeArithmetic, FastAgreesWithReference) {
  TreeDistribution fast;
  TreeDistribution reference;
  for_each_long_sentence(GetParam(), [&](const LibraryInput& input, Generator&) {
    input.give_to(reference, Arithmetic::log);
    try {
      reference.log_partition();
    } catch (const InfeasibleError&) {
      ASSERT_TRUE(has_impossible_parts(GetParam()));
      ++case_counts().infeasible;
      input.give_to(fast, Arithmetic::automatic);
      EXPECT_THROW(fast.log_partition(), InfeasibleError);
      return;
    }
    EXPECT_EQ(reference.arithmetic_used(), Arithmetic::log);
    input.give_to(fast, Arithmetic::automatic);
    expect_same_sums(input, fast, reference);
    EXPECT_NE(fast.arithmetic_used(), Arithmetic::automatic);
    try {
      input.give_to(fast, Arithmetic::linear);
      expect_same_sums(input, fast, reference);
      EXPECT_EQ(fast.arithmetic_used(), Arithmetic::linear);
    } catch (const std::range_error& error) {
      ++case_counts().refused_by_linear;
      // Over many words, potentials of ±10 add up to what is out of range for a product.
      EXPECT_TRUE(is_extreme(GetParam()) || GetParam() == PotentialKind::tens) << error.what();
    }
  });
}

// The speed of ordinary sentences depends on it.
TEST(TreeArithmeticChoice, AutomaticIsLinearForOrdinaryPotentials) {
  TreeDistribution distribution;
  for_each_long_sentence(PotentialKind::normal, [&](const LibraryInput& input, Generator&) {
    input.give_to(distribution, Arithmetic::automatic);
    distribution.log_partition();
    EXPECT_EQ(distribution.arithmetic_used(), Arithmetic::linear);
  });
}

}  // namespace
}  // namespace copse::testing
