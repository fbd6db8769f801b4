#include "network/quantised_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "copse/error.h"
#include "every_simd_target.h"
#include "model/model_property.h"
#include "random_numbers.h"

namespace copse {
namespace {

using testing::normal_numbers;
using Numbers = std::vector<float>;

TEST(QuantisedTable, RowsAreThoseOfTheNumbersUpToHalfAStep) {
  testing::on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t rows = 1 + random() % 9;
      const std::size_t columns = 1 + random() % 70;
      Numbers values = normal_numbers(random, rows * columns);
      std::fill_n(values.begin(), columns, 0.0F);  // the first row
      const QuantisedTable table = QuantisedTable::from({values.data(), rows, columns});
      ASSERT_EQ(table.rows(), rows);
      ASSERT_EQ(table.columns(), columns);
      for (std::size_t row = 0; row < rows; ++row) {
        float largest = 0.0F;
        for (std::size_t k = 0; k < columns; ++k)
          largest = std::max(largest, std::abs(values[row * columns + k]));
        Numbers found(columns + 1, 7.0F);
        table.copy_row(row, found.data());
        for (std::size_t k = 0; k < columns; ++k) {
          ASSERT_NEAR(found[k], values[row * columns + k], 0.501F * largest / 127) << row << ", " << k;
        }
        table.add_row(row, found.data());
        for (std::size_t k = 0; k < columns; ++k) {
          ASSERT_NEAR(found[k], 2.0F * values[row * columns + k], 1.01F * largest / 127);
        }
        EXPECT_EQ(found[columns], 7.0F) << "nothing is written behind the end";
      }
    }
  });
}

TEST(QuantisedTable, RefusesNumbersThatAreNotFinite) {
  const Numbers values = {1.0F, std::numeric_limits<float>::infinity()};
  EXPECT_THROW(QuantisedTable::from({values.data(), 1, 2}), std::invalid_argument);
}

std::vector<std::byte> bytes_of(std::span<const float> numbers) {
  const auto bytes = std::as_bytes(numbers);
  return {bytes.begin(), bytes.end()};
}

TEST(QuantisedTable, DamagedSectionsAreRefused) {
  const auto load = [](const std::vector<std::byte>& codes, const Numbers& scales) {
    return QuantisedTable::from_file(
        SectionFile::from_bytes(forged_file({{"t.codes", codes}, {"t.scales", bytes_of(scales)}})), "t");
  };
  const std::vector<std::byte> codes = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{0xFF}};
  const QuantisedTable table = load(codes, {0.5F, 2.0F});
  Numbers row(2);
  table.copy_row(1, row.data());  // after the file was closed
  EXPECT_EQ(row, (Numbers{6.0F, -2.0F}));
  EXPECT_THROW(load(codes, {}), DataError);
  EXPECT_THROW(load(codes, {1.0F, 1.0F, 1.0F}), DataError);
  EXPECT_THROW(load(codes, {1.0F, -1.0F}), DataError);
  EXPECT_THROW(load(codes, {1.0F, std::numeric_limits<float>::quiet_NaN()}), DataError);
}

}  // namespace
}  // namespace copse
