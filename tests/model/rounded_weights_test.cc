#include "model/rounded_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "copse/error.h"
#include "inference/test_settings.h"

namespace copse {
namespace {

std::vector<std::byte> encoded(const RoundedWeights& list) {
  ByteWriter writer;
  encode_weights(list, writer);
  return writer.take();
}

RoundedWeights decoded(const std::vector<std::byte>& bytes) {
  ByteReader reader(bytes, "list");
  RoundedWeights list = decode_weights(reader);
  reader.expect_end();
  return list;
}

struct RandomWeights {
  std::vector<std::uint64_t> hashes;
  std::vector<float> weights;
};

RandomWeights random_hashed_weights(std::mt19937_64& random, std::size_t count) {
  RandomWeights result;
  const float scale = std::exp(std::normal_distribution<float>(0.0F, 5.0F)(random));
  std::normal_distribution<float> normal(0.0F, scale);
  for (std::size_t k = 0; k < count; ++k) {
    result.hashes.push_back(random());
    result.weights.push_back(random() % 8 == 0 ? 0.0F : normal(random));
  }
  return result;
}

TEST(WeightCode, StandsForWholeUnits) {
  EXPECT_EQ(units(0), 0);
  EXPECT_EQ(units(0x7F), 0) << "the exponent 0 is no weight";
  EXPECT_EQ(units(0x080), 128);
  EXPECT_EQ(units(0x0FF), 255);
  EXPECT_EQ(units(0x100), 256);
  EXPECT_EQ(units(0x7FF), kMostUnits);
  EXPECT_EQ(units(0xFFF), -kMostUnits);
}

TEST(RoundedWeights, RoundsToTheNearestNumberThatHasACode) {
  for (int number = 0; number < testing::scaled(60); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    const RandomWeights given = random_hashed_weights(random, 1 + random() % 300);
    WeightPrecision precision;
    precision.mantissa_bits = static_cast<int>(random() % 8);
    const RoundedWeights list = round_weights(given.hashes, given.weights, precision);
    EXPECT_EQ(list.hash_bits, 32);
    ASSERT_TRUE(std::is_sorted(list.hashes.begin(), list.hashes.end()));
    std::map<std::uint64_t, float> by_hash;
    float largest = 0.0F;
    for (std::size_t k = 0; k < given.hashes.size(); ++k) {
      by_hash[given.hashes[k] >> 32 << 32] = given.weights[k];
      largest = std::max(largest, std::abs(given.weights[k]));
    }
    std::size_t kept = 0;
    for (const auto& [hash, weight] : by_hash) {
      const auto found = std::lower_bound(list.hashes.begin(), list.hashes.end(), hash);
      const bool is_kept = found != list.hashes.end() && *found == hash;
      // Within half a step of the mantissa, and of the smallest number for what lies below it.
      const double smallest = std::ldexp(1.0, std::ilogb(largest) - 14);
      const double error = std::abs(weight) * std::ldexp(0.5, -precision.mantissa_bits);
      if (!is_kept) {
        EXPECT_LE(std::abs(weight), smallest / 2);
        continue;
      }
      ++kept;
      const double rounded = list.weight(static_cast<std::size_t>(found - list.hashes.begin()));
      // At the very top there is no next power of two to round up to.
      const double room = std::abs(weight) * 2 > largest ? 2 : 1;
      EXPECT_LE(std::abs(rounded - weight), std::max(error * room, smallest / 2)) << weight;
    }
    EXPECT_EQ(kept, list.size());
  }
}

TEST(RoundedWeights, KeepsTheLargerWeightOfFeaturesThatBecomeEqual) {
  const std::vector<std::uint64_t> hashes = {7, 9, std::uint64_t{5} << 60};
  const RoundedWeights list = round_weights(hashes, std::vector<float>{1.0F, -2.0F, 0.5F}, WeightPrecision());
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.hashes[0], 0u);
  EXPECT_EQ(list.weight(0), -2.0);
  EXPECT_EQ(list.weight(1), 0.5);
}

TEST(RoundedWeights, KnowsMoreBitsTheMoreFeaturesThereAre) {
  std::mt19937_64 random = testing::case_generator(0);
  std::vector<std::uint64_t> hashes(200'000);
  for (std::uint64_t& hash : hashes) hash = random();
  const std::vector<float> weights(hashes.size(), 1.0F);
  EXPECT_EQ(round_weights(hashes, weights, {20, 7}).hash_bits, 34);  // 20,001 buckets
  EXPECT_EQ(round_weights(hashes, weights, {19, 7}).hash_bits, 33);
  EXPECT_EQ(round_weights(hashes, weights, {8, 7}).hash_bits, 32);
  EXPECT_EQ(round_weights({}, {}, {20, 7}).hash_bits, 32);
}

TEST(RoundedWeights, ComesBackFromItsBytes) {
  for (int number = 0; number < testing::scaled(60); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    const std::size_t count = number % 3 == 0 ? random() % 5 : random() % 5000;
    const RandomWeights given = random_hashed_weights(random, count);
    const WeightPrecision precision{static_cast<int>(8 + random() % 13), static_cast<int>(random() % 8)};
    RoundedWeights list = round_weights(given.hashes, given.weights, precision);
    if (number % 4 == 1 && !list.hashes.empty())
      list.hashes.back() = ~std::uint64_t{0} << (64 - list.hash_bits);
    const RoundedWeights again = decoded(encoded(list));
    EXPECT_EQ(again.hash_bits, list.hash_bits);
    EXPECT_EQ(again.unit, list.unit);
    EXPECT_EQ(again.hashes, list.hashes);
    EXPECT_EQ(again.codes, list.codes);
  }
}

TEST(RoundedWeights, TakesFewBytes) {
  std::mt19937_64 random = testing::case_generator(0);
  std::vector<std::uint64_t> hashes(100'000);
  std::vector<float> weights(hashes.size());
  for (std::uint64_t& hash : hashes) hash = random();
  for (float& weight : weights) weight = random() % 2 == 0 ? 0.01F : -0.01F;
  const auto bits_of = [&](const WeightPrecision& precision) {
    const RoundedWeights list = round_weights(hashes, weights, precision);
    return 8.0 * static_cast<double>(encoded(list).size()) / static_cast<double>(list.size());
  };
  // 1.5 bits for one of two weights; and 1.5 more than the logarithm of the mean difference of hashes.
  EXPECT_LT(bits_of({20, 7}), 33 - 16.6 + 1.5 + 1.6);
  EXPECT_LT(bits_of({16, 7}), 32 - 16.6 + 1.5 + 1.6);
}

TEST(RoundedWeights, IsRefusedOrSoundAfterRandomChanges) {
  std::mt19937_64 start = testing::case_generator(0);
  const RandomWeights given = random_hashed_weights(start, 400);
  const std::vector<std::byte> intact =
      encoded(round_weights(given.hashes, given.weights, WeightPrecision()));
  int sound = 0;
  const int cases = testing::scaled(3000);
  for (int number = 0; number < cases; ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    std::vector<std::byte> bytes = intact;
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    for (std::size_t changes = random() % 3 + 1; changes > 0 && !bytes.empty(); --changes) {
      bytes[random() % std::min<std::size_t>(bytes.size(), random() % 2 == 0 ? 24 : bytes.size())] =
          static_cast<std::byte>(random());
    }
    try {
      const RoundedWeights list = decoded(bytes);
      ASSERT_EQ(list.hashes.size(), list.codes.size());
      for (std::size_t k = 0; k + 1 < list.size(); ++k) ASSERT_LT(list.hashes[k], list.hashes[k + 1]);
      for (const WeightCode code : list.codes) ASSERT_NE(units(code), 0);
      ASSERT_TRUE(std::isfinite(list.unit * kMostUnits * 1e6));
      ++sound;
    } catch (const DataError&) {
    }
  }
  if (cases >= 500) {
    EXPECT_GT(sound, cases / 50);
    EXPECT_LT(sound, cases - cases / 50);
  }
}

}  // namespace
}  // namespace copse
