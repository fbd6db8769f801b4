// What machines beside the processor need of networks, where a processor can check it: random numbers out of
// turn, rows of inputs that were read before, and the rounded weights as floats.
#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(Spellings, RowsOfInputs, ::testing::Values(Spelling::affixes, Spelling::characters));

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
