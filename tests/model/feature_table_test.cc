#include "model/feature_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "inference/test_settings.h"

namespace copse {
namespace {

using Hashes = std::vector<std::uint64_t>;

std::vector<std::uint32_t> numbered(const Hashes& hashes) {
  std::vector<std::uint32_t> values(hashes.size());
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

Hashes random_hashes(std::mt19937_64& random, std::size_t count) {
  std::set<std::uint64_t> hashes;
  while (hashes.size() < count) hashes.insert(random());
  Hashes shuffled(hashes.begin(), hashes.end());
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  return shuffled;
}

void expect_found(const FeatureTable& table, const Hashes& hashes) {
  EXPECT_EQ(table.size(), hashes.size());
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    if (table.find(hashes[k]) != k || !table.filter().may_contain(hashes[k])) ++wrong;
    table.prefetch(hashes[k]);
  }
  EXPECT_EQ(wrong, 0u) << "of " << hashes.size();
}

FeatureTable table_of(const Hashes& hashes) { return {hashes, numbered(hashes)}; }

TEST(FeatureTable, WithoutFeaturesFindsNone) {
  std::mt19937_64 random = testing::case_generator(0);
  const FeatureTable table;
  EXPECT_EQ(table.size(), 0u);
  for (const std::uint64_t hash : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, random()}) {
    EXPECT_EQ(table.find(hash), FeatureTable::kAbsent);
    EXPECT_FALSE(table.filter().may_contain(hash));
  }
}

TEST(FeatureTable, FindsAllAndNoOthers) {
  for (int number = 0; number < testing::scaled(60); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    const Hashes hashes = random_hashes(random, random() % 3000);
    const FeatureTable table = table_of(hashes);
    expect_found(table, hashes);
    for (int absent = 0; absent < 1000; ++absent) EXPECT_EQ(table.find(random()), FeatureTable::kAbsent);
  }
}

TEST(FeatureTable, CanBeLarge) {
  std::mt19937_64 random = testing::case_generator(0);
  const Hashes hashes = random_hashes(random, static_cast<std::size_t>(testing::scaled(300'000)));
  const FeatureTable table = table_of(hashes);
  expect_found(table, hashes);
  int found = 0;
  int may_be_found = 0;
  const int unknown_features = testing::scaled(300'000);
  for (int absent = 0; absent < unknown_features; ++absent) {
    const std::uint64_t hash = random();
    if (table.find(hash) != FeatureTable::kAbsent) ++found;
    if (table.filter().may_contain(hash)) ++may_be_found;
  }
  // Four features are looked at on average, and each matches by chance once in four billion times.
  EXPECT_LE(found, 1);
  EXPECT_LT(may_be_found, unknown_features / 5) << "the filter lets too much through";
}

TEST(FeatureTable, HoldsFeaturesThatWantTheSamePlace) {
  // At the beginning, in the middle and at the very end, where there is room for a few more.
  for (const std::uint64_t place : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0} << 32}) {
    Hashes hashes;
    for (std::uint64_t low = 1; low <= 50; ++low) hashes.push_back(place | low);
    const FeatureTable table = table_of(hashes);
    expect_found(table, hashes);
    EXPECT_EQ(table.find(place | 51), FeatureTable::kAbsent);
  }
}

TEST(FeatureTable, KeepsItsLastPlaceEmpty) {
  // So many for the last places that the room behind them is just enough, or just not.
  for (std::uint64_t count = 55; count <= 75; ++count) {
    Hashes hashes;
    for (std::uint64_t k = 0; k < count; ++k) hashes.push_back(~std::uint64_t{0} - (k << 50) - k);
    const FeatureTable table = table_of(hashes);
    expect_found(table, hashes);
    EXPECT_EQ(table.find(~std::uint64_t{0} - (count << 50) - count), FeatureTable::kAbsent) << count;
  }
}

TEST(FeatureTable, TellsFeaturesWithEqualLowBitsApartByTheirPlace) {
  Hashes hashes;
  for (std::uint64_t high = 0; high < 200; ++high) hashes.push_back(high << 56 | 0x12345678);
  hashes.push_back(std::uint64_t{99} << 54);  // all low bits zero, which marks empty places
  expect_found(table_of(hashes), hashes);
}

TEST(FeatureTable, KeepsAnyValue) {
  const Hashes hashes = {11, 22, 33};
  const FeatureTable table(hashes, std::vector<std::uint32_t>{0, 0x80000000, 0xFFFFFFFE});
  EXPECT_EQ(table.find(11), 0u);
  EXPECT_EQ(table.find(22), 0x80000000u);
  EXPECT_EQ(table.find(33), 0xFFFFFFFEu);
}

TEST(FeatureTable, CanBeMoved) {
  std::mt19937_64 random = testing::case_generator(1);
  const Hashes hashes = random_hashes(random, 500);
  FeatureTable table = table_of(hashes);
  FeatureTable moved(std::move(table));
  expect_found(moved, hashes);
  FeatureTable assigned;
  assigned = std::move(moved);
  expect_found(assigned, hashes);
}

}  // namespace
}  // namespace copse
