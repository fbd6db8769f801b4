#include "model/weight_table.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "inference/test_settings.h"

namespace copse {
namespace {

// So dense in places that buckets overflow.
RoundedWeights random_list(std::mt19937_64& random, std::size_t count) {
  std::vector<std::uint64_t> hashes;
  std::vector<float> weights;
  while (hashes.size() < count) {
    const std::uint64_t start = random();
    const std::size_t neighbours = random() % 4 == 0 ? random() % 60 : 1;
    for (std::size_t k = 0; k < neighbours; ++k) {
      hashes.push_back(start + (k << 31));
      weights.push_back(std::normal_distribution<float>()(random));
    }
  }
  return round_weights(hashes, weights, WeightPrecision());
}

TEST(WeightTable, WithoutFeaturesFindsNone) {
  const WeightTable table;
  EXPECT_EQ(table.size(), 0u);
  for (const std::uint64_t hash : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    EXPECT_EQ(table.find(hash), 0);
    EXPECT_FALSE(table.filter().may_contain(hash));
  }
}

TEST(WeightTable, FindsEveryWeightWhateverTheBitsThatAreNotKnown) {
  for (int number = 0; number < testing::scaled(100); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    const RoundedWeights list = random_list(random, random() % 3000);
    const WeightTable table(list);
    EXPECT_EQ(table.size(), list.size());
    EXPECT_EQ(table.unit(), list.unit);
    int wrong = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::uint64_t unknown = list.hash_bits == 64 ? 0 : random() >> list.hash_bits;
      if (table.find(list.hashes[k] | unknown) != units(list.codes[k])) ++wrong;
    }
    // A bucket that spills over into the next may hold the tag of another feature there.
    EXPECT_LE(wrong, static_cast<int>(list.size() / 500)) << "of " << list.size();
  }
}

TEST(WeightTable, RarelyFindsFeaturesThatAreNotThere) {
  std::mt19937_64 random = testing::case_generator(0);
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(testing::scaled(100'000)));
  for (std::uint64_t& hash : hashes) hash = random();
  const WeightTable table(round_weights(hashes, std::vector<float>(hashes.size(), 1.0F), WeightPrecision()));
  const int unknown_features = testing::scaled(300'000);
  int found = 0;
  int may_be_found = 0;
  for (int k = 0; k < unknown_features; ++k) {
    const std::uint64_t hash = random();
    if (table.find(hash) != 0) ++found;
    if (table.filter().may_contain(hash)) ++may_be_found;
  }
  EXPECT_LE(found, 3 + unknown_features / 30'000);
  EXPECT_LT(may_be_found, unknown_features / 7) << "the filter lets too much through";
}

TEST(WeightTable, SumsUpLists) {
  for (int number = 0; number < testing::scaled(100); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    const RoundedWeights list = random_list(random, 1 + random() % 2000);
    const WeightTable table(list);
    std::vector<std::uint64_t> hashes;
    std::vector<int> lengths;
    std::vector<std::int64_t> expected;
    for (std::size_t lists = random() % 20; lists > 0; --lists) {
      lengths.push_back(static_cast<int>(random() % 8 == 0 ? random() % 1500 : random() % 40));
      expected.push_back(0);
      for (int k = 0; k < lengths.back(); ++k) {
        hashes.push_back(random() % 2 == 0 ? random() : list.hashes[random() % list.size()]);
        expected.back() += table.find(hashes.back());
      }
    }
    const std::size_t size = hashes.size();
    hashes.resize(size + HashFilter::kSlack, random());
    std::vector<std::uint64_t> kept(hashes.size());
    std::vector<int> kept_lengths = lengths;
    const std::size_t total = table.filter().keep(hashes.data(), kept_lengths, kept.data());
    // In order, and those that may be contained.
    std::size_t next = 0;
    std::size_t hash = 0;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      int own = 0;
      for (int j = 0; j < lengths[k]; ++j, ++hash) {
        if (!table.filter().may_contain(hashes[hash])) continue;
        ASSERT_EQ(kept[next++], hashes[hash]);
        ++own;
      }
      EXPECT_EQ(kept_lengths[k], own);
    }
    EXPECT_EQ(total, next);
    std::vector<std::int64_t> sums(lengths.size());
    table.sum(kept.data(), kept_lengths, sums.data());
    EXPECT_EQ(sums, expected);
  }
}

TEST(WeightTable, SumsOfManyLargeWeightsDoNotOverflow) {
  RoundedWeights list;
  list.hashes = {std::uint64_t{1} << 40};
  list.codes = {0xFFF};
  const WeightTable table(list);
  std::vector<std::uint64_t> hashes(100'000 + HashFilter::kSlack, list.hashes.front());
  const std::vector<int> lengths = {100'000};
  std::int64_t sum = 0;
  table.sum(hashes.data(), lengths, &sum);
  EXPECT_EQ(sum, std::int64_t{-100'000} * kMostUnits);
}

}  // namespace
}  // namespace copse
