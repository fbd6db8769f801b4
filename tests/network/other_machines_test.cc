// What machines beside the processor need of networks, where a processor can check it: random numbers out of
// turn, rows of inputs that were read before, and the rounded weights as floats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "network/dropout_plan.h"
#include "network/made_up_network.h"

namespace copse {
namespace {

using testing::made_up_sentence;
using testing::odd_shape;

TEST(OtherMachines, DrawNumbersOutOfTurn) {
  Random random(17);
  random.skip(5);
  const std::uint64_t state = random.state();
  for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(random.uniform(), Random::uniform_at(state, k));
  Random skipped(17);
  skipped.skip(105);
  EXPECT_EQ(skipped.bits(), random.bits());
}

// Groups that are left out are 0, and the others as much more that their number counts as before.
TEST(OtherMachines, DrawGroupFactors) {
  Random random(3);
  std::vector<float> factors(1000 * kInputGroups, 1.0F);
  draw_group_factors(2, 0.33F, random, factors);
  std::size_t left_out = 0;
  for (std::size_t row = 0; row < factors.size(); row += kInputGroups) {
    const float sum = factors[row] + factors[row + 1];
    EXPECT_TRUE(sum == 0.0F || sum == 2.0F) << sum;
    EXPECT_EQ(factors[row + 2], 1.0F);
    left_out += (factors[row] == 0.0F ? 1U : 0U) + (factors[row + 1] == 0.0F ? 1U : 0U);
  }
  EXPECT_NEAR(static_cast<double>(left_out) / 2000.0, 0.33, 0.05);
}

void expect_sites(const DropoutPlan& expected, std::size_t sequence, const DropoutPlan& found,
                  std::size_t place, std::size_t layers) {
  EXPECT_EQ(expected.input().states[sequence], found.input().states[place]);
  for (std::size_t k = 0; k < layers; ++k) {
    EXPECT_EQ(expected.layer(k).states[sequence], found.layer(k).states[place]);
  }
  EXPECT_EQ(expected.roles().states[sequence], found.roles().states[place]);
}

// A plan takes the numbers that one drawing after the other would take, and no more.
TEST(DropoutPlans, TakeNumbersInOrder) {
  const NetworkShape shape = testing::made_up_description(odd_shape(Factorization::first)).shape;
  Sequences sequences;
  for (const std::size_t length : {5U, 2U, 1U}) sequences.add(length);
  Random random(7);
  DropoutPlan plan;
  plan.draw(shape, sequences, 0.4F, random);
  Random in_turn(7);
  std::vector<float> factors(sequences.rows() * kInputGroups);
  draw_group_factors(kInputGroups, 0.4F, in_turn, factors);
  EXPECT_TRUE(std::ranges::equal(plan.group_factors(), factors));
  std::vector<DropoutSite> sites = {plan.input()};
  for (std::size_t k = 0; k < shape.layers; ++k) sites.push_back(plan.layer(k));
  sites.push_back(plan.roles());
  EXPECT_EQ(sites.front().columns, shape.input_size());
  EXPECT_EQ(sites[1].columns, shape.encoder_size());
  EXPECT_EQ(sites.back().columns, RoleColumns(shape).size);
  for (const DropoutSite& site : sites) {
    EXPECT_EQ(site.rate, 0.4F);
    ASSERT_EQ(site.states.size(), sequences.count());
    for (const std::uint64_t state : site.states) {
      for (std::size_t k = 0; k < site.columns; ++k) {
        ASSERT_EQ(Random::uniform_at(state, k), in_turn.uniform());
      }
    }
  }
  EXPECT_EQ(random.state(), in_turn.state());
}

// Batches that are put together of parts drop what the parts would.
TEST(DropoutPlans, AreTakenOverSequenceBySequence) {
  const NetworkShape shape = testing::made_up_description(odd_shape(Factorization::first)).shape;
  Sequences first;
  for (const std::size_t length : {4U, 2U}) first.add(length);
  Sequences second;
  second.add(3);
  Random random(8);
  DropoutPlan plans[2];
  plans[0].draw(shape, first, 0.3F, random);
  plans[1].draw(shape, second, 0.3F, random);
  DropoutPlan all;
  all.append(plans[0], 0, 0, 4);
  all.append(plans[1], 0, 0, 3);
  all.append(plans[0], 1, 4, 2);
  expect_sites(plans[0], 0, all, 0, shape.layers);
  expect_sites(plans[1], 0, all, 1, shape.layers);
  expect_sites(plans[0], 1, all, 2, shape.layers);
  const auto rows = [](const DropoutPlan& plan, std::size_t begin, std::size_t count) {
    return plan.group_factors().subspan(begin * kInputGroups, count * kInputGroups);
  };
  EXPECT_TRUE(std::ranges::equal(rows(all, 0, 4), rows(plans[0], 0, 4)));
  EXPECT_TRUE(std::ranges::equal(rows(all, 4, 3), rows(plans[1], 0, 3)));
  EXPECT_TRUE(std::ranges::equal(rows(all, 7, 2), rows(plans[0], 4, 2)));
}

// Words with factors of their own, and networks that guess words and have no roles.
TEST(DropoutPlans, LeaveWordsWithFactorsAlone) {
  NetworkShape shape = odd_shape(Factorization::first);
  shape.guesses_words = true;
  Sequences sequences;
  sequences.add(3);
  const std::vector<float> factors = {1.0F, 0.0F, 1.0F};
  Random random(9);
  DropoutPlan plan;
  plan.draw(shape, sequences, 0.2F, random, factors);
  EXPECT_TRUE(plan.input().states.empty());
  EXPECT_TRUE(plan.roles().states.empty());
  EXPECT_EQ(plan.layer(0).states.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(plan.group_factors(), std::vector<float>{1, 1, 1, 0, 0, 0, 1, 1, 1}));
  Random expected(9);
  expected.skip(shape.layers * shape.encoder_size());
  EXPECT_EQ(random.state(), expected.state());
  plan.draw(shape, sequences, 0.0F, random, factors);
  EXPECT_TRUE(plan.layer(0).states.empty());
  EXPECT_EQ(plan.group_factors().size(), 9U);
  EXPECT_EQ(random.state(), expected.state());
}

class RowsOfInputs : public ::testing::TestWithParam<Spelling> {};

TEST_P(RowsOfInputs, AreThoseOfTheirSentences) {
  const NetworkDescription network =
      testing::made_up_description(odd_shape(Factorization::first, GetParam()));
  InputReader reader(network.inputs, network.vectors_or_null(), network.shape);
  Random random(5);
  WordInputs all;
  std::vector<Sentence> sentences;
  std::vector<std::size_t> begins;
  for (const int words : {4, 1, 9, 6}) {
    sentences.push_back(made_up_sentence(random, words));
    begins.push_back(all.rows());
    reader.append(sentences.back(), all);
  }
  WordInputs expected;
  WordInputs found;
  for (const std::size_t k : {2, 0, 3, 1, 2}) {
    reader.append(sentences[k], expected);
    found.append(all, begins[k], static_cast<std::size_t>(sentences[k].size()) + 1);
  }
  EXPECT_EQ(found.words, expected.words);
  EXPECT_EQ(found.vectors, expected.vectors);
  EXPECT_EQ(found.affixes, expected.affixes);
  EXPECT_EQ(found.character_begins, expected.character_begins);
  EXPECT_EQ(found.characters, expected.characters);
  EXPECT_EQ(found.upos, expected.upos);
  EXPECT_EQ(found.xpos, expected.xpos);
  EXPECT_EQ(found.feature_begins, expected.feature_begins);
  EXPECT_EQ(found.features, expected.features);
}

INSTANTIATE_TEST_SUITE_P(Spellings, RowsOfInputs,
                         ::testing::Values(Spelling::affixes, Spelling::characters, Spelling::both));

// Rounding what is rounded changes nothing, and no weight is far from what it was.
TEST(OtherMachines, GetTheRoundedWeights) {
  const NetworkDescription description = testing::made_up_description(odd_shape(Factorization::grandsibling));
  const std::vector<float> weights = testing::made_up_weights(description.shape, 5);
  const Network network(description, weights);
  std::vector<float> rounded(weights.size(), NAN);
  network.weights().dequantise(network.blocks(), rounded);
  float largest = 0.0F;
  for (const float weight : weights) largest = std::max(largest, std::abs(weight));
  for (std::size_t k = 0; k < weights.size(); ++k) EXPECT_NEAR(rounded[k], weights[k], largest / 127.0F) << k;
  const Network again(description, rounded);
  std::vector<float> twice(weights.size(), NAN);
  again.weights().dequantise(again.blocks(), twice);
  for (std::size_t k = 0; k < weights.size(); ++k) EXPECT_NEAR(twice[k], rounded[k], 1e-6F * largest) << k;
}

}  // namespace
}  // namespace copse
