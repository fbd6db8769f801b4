#include "model/label_rows.h"

#include <gtest/gtest.h>

#include <map>

#include "copse/error.h"
#include "features/hashing.h"
#include "model/row_lookup.h"
#include "sequence/chain_enumeration.h"

namespace copse::testing {
namespace {

constexpr double kUnit = 0.25;
constexpr int kLabels = 300;

struct Table {
  std::map<std::uint64_t, std::map<Label, float>> naive;
  std::vector<LabelRows::Entry> entries;
};

Table random_table(Generator& random, int features) {
  Table table;
  for (int k = 0; k < features; ++k) {
    const std::uint64_t feature = mix(static_cast<std::uint64_t>(k) + 1);
    for (int left = uniform(random, 1, 4); left > 0; --left) {
      const auto label = static_cast<Label>(uniform(random, 0, kLabels - 1));
      if (table.naive[feature].contains(label)) continue;
      const auto weight = static_cast<float>(uniform(random, -200, 200)) * 0.25F;
      table.naive[feature][label] = weight;
      table.entries.push_back({feature, label, weight});
    }
  }
  std::shuffle(table.entries.begin(), table.entries.end(), random);
  return table;
}

// The last buckets are empty, or all of them: nothing behind the end may be named (the sanitizers see it).
TEST(LabelRows, LookUpsOfAbsentFeaturesStayInside) {
  const LabelRows none;
  const LabelRows first({{0, 1, 1.0F}, {1, 2, 1.0F}}, kUnit);
  for (const LabelRows* rows : {&none, &first}) {
    std::vector<std::uint32_t> found;
    const std::uint64_t last = ~std::uint64_t{0};
    find_rows(*rows, std::span(&last, 1), found);
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(rows->find(last), LabelRows::kAbsent);
  }
}

// What the table should give, in units, unless two features look alike.
std::map<Label, int> expected_row(const std::map<Label, float>& weights) {
  std::map<Label, int> row;
  for (const auto& [label, weight] : weights) {
    const int units = std::clamp(static_cast<int>(std::lround(weight / kUnit)), -127, 127);
    if (units != 0) row[label] = units;
  }
  return row;
}

std::map<Label, int> actual_row(const LabelRows& rows, std::uint64_t feature) {
  std::vector<std::uint32_t> found;
  std::vector<std::uint32_t> sums(kLabels);
  std::vector<Label> all(kLabels);
  for (int k = 0; k < kLabels; ++k) all[static_cast<std::size_t>(k)] = static_cast<Label>(k);
  add_rows(rows, std::span(&feature, 1), all, found, sums.data());
  std::map<Label, int> row;
  for (const Label label : all) {
    if (sums[label] != 0) row[label] = static_cast<std::int32_t>(sums[label]);
  }
  return row;
}

void expect_table(const LabelRows& rows, const Table& table) {
  int different = 0;
  for (const auto& [feature, weights] : table.naive) {
    different += actual_row(rows, feature) == expected_row(weights) ? 0 : 1;
  }
  EXPECT_LE(different, 2 + static_cast<int>(table.naive.size() / 10'000));
}

LabelRows saved_and_loaded(const LabelRows& rows) {
  ByteWriter writer;
  rows.save(writer);
  const std::vector<std::byte> bytes = writer.take();
  ByteReader reader(bytes, "rows");
  LabelRows loaded = LabelRows::load(reader, kLabels);
  reader.expect_end();
  return loaded;
}

TEST(LabelRows, HoldRoundedWeights) {
  for (int number = 0; number < scaled(40); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    const Table table = random_table(random, number == 0 ? 5'000 : uniform(random, 0, 300));
    const LabelRows rows(table.entries, kUnit);
    expect_table(rows, table);
    const LabelRows loaded = saved_and_loaded(rows);
    expect_table(loaded, table);
    EXPECT_EQ(loaded.unit(), kUnit);
    EXPECT_EQ(loaded.rows(), rows.rows());
    EXPECT_EQ(loaded.entries(), rows.entries());
  }
}

TEST(LabelRows, AbsentFeaturesAreHardlyEverFound) {
  Generator random = case_generator(0);
  const LabelRows rows(random_table(random, 20'000).entries, kUnit);
  int found = 0;
  for (std::uint64_t k = 0; k < 100'000; ++k)
    found += rows.find(mix(k + 1'000'000)) != LabelRows::kAbsent ? 1 : 0;
  EXPECT_LE(found, 10);
}

TEST(LabelRows, RowsOfLabelsKeepThem) {
  const LabelRows rows = LabelRows::of_labels({{mix(1), 7, 0.0F}, {mix(2), 9, 0.0F}, {mix(1), 3, 0.0F}});
  const std::span<const Label> labels = rows.labels(rows.find(mix(1)));
  EXPECT_EQ(std::vector<Label>(labels.begin(), labels.end()), (std::vector<Label>{3, 7}));
  EXPECT_EQ(rows.find(mix(3)), LabelRows::kAbsent);
  EXPECT_EQ(saved_and_loaded(rows).labels(rows.find(mix(2))).size(), 1U);
}

TEST(LabelRows, OfTwoFeaturesThatLookAlikeTheLongerRowStays) {
  const std::uint64_t one = 0x1234'0000'0000'1111;
  const std::uint64_t other = 0x1234'0000'0001'1111;
  const LabelRows rows({{one, 1, 1.0F}, {other, 2, 1.0F}, {other, 3, 1.0F}}, kUnit);
  EXPECT_EQ(rows.rows(), 1U);
  EXPECT_EQ(actual_row(rows, one), (std::map<Label, int>{{2, 4}, {3, 4}}));
}

// Whatever the bytes are: refused with a DataError, or usable.
TEST(LabelRows, DamagedBytesAreRefusedOrHarmless) {
  Generator random = case_generator(0);
  ByteWriter writer;
  LabelRows(random_table(random, 50).entries, kUnit).save(writer);
  const std::vector<std::byte> good = writer.take();
  int refused = 0;
  for (int number = 0; number < scaled(1000); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator choice = case_generator(number);
    std::vector<std::byte> bytes = good;
    for (int changes = uniform(choice, 1, 3); changes > 0; --changes) {
      bytes[static_cast<std::size_t>(uniform(choice, 0, static_cast<int>(bytes.size()) - 1))] =
          static_cast<std::byte>(uniform(choice, 0, 255));
    }
    if (number % 5 == 0)
      bytes.resize(static_cast<std::size_t>(uniform(choice, 0, static_cast<int>(bytes.size()))));
    try {
      ByteReader reader(bytes, "rows");
      const LabelRows rows = LabelRows::load(reader, kLabels);
      for (std::uint64_t k = 0; k < 20; ++k) actual_row(rows, mix(k));
    } catch (const DataError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace copse::testing
