#include "network/quantised_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "copse/error.h"
#include "network/quantised_kernels.h"

namespace copse {
namespace {

struct Numbers {
  std::vector<std::int8_t> codes;
  std::vector<float> scales;
};

}  // namespace

QuantisedTable QuantisedTable::from(ConstMatrix values) {
  const auto numbers = std::make_shared<Numbers>();
  numbers->codes.resize(values.rows * values.columns);
  numbers->scales.resize(values.rows);
  std::vector<std::uint8_t> bytes(values.columns);
  for (std::size_t row = 0; row < values.rows; ++row) {
    numbers->scales[row] = quantise_row({values.row(row), values.columns}, bytes.data());
    if (!std::isfinite(numbers->scales[row])) {
      throw std::invalid_argument("a table with values that are not finite");
    }
    for (std::size_t k = 0; k < values.columns; ++k) {
      numbers->codes[row * values.columns + k] = static_cast<std::int8_t>(bytes[k] - kZeroActivation);
    }
  }
  QuantisedTable table;
  table.codes_ = numbers->codes;
  table.scales_ = numbers->scales;
  table.columns_ = values.columns;
  table.owner_ = numbers;
  return table;
}

void QuantisedTable::add_to(SectionFileWriter& writer, std::string_view prefix) const {
  writer.add_numbers(fmt::format("{}.codes", prefix), codes_);
  writer.add_numbers(fmt::format("{}.scales", prefix), scales_);
}

QuantisedTable QuantisedTable::from_file(const SectionFile& file, std::string_view prefix) {
  QuantisedTable table;
  table.codes_ = file.numbers<std::int8_t>(fmt::format("{}.codes", prefix));
  table.scales_ = file.numbers<float>(fmt::format("{}.scales", prefix));
  const auto require = [&](bool condition, std::string_view what) {
    if (!condition) {
      throw DataError(fmt::format("{}: the table '{}' {}; the file is damaged", file.path(), prefix, what));
    }
  };
  require(!table.scales_.empty() && table.codes_.size() % table.scales_.size() == 0, "is not rectangular");
  require(
      std::ranges::all_of(table.scales_, [](float scale) { return std::isfinite(scale) && scale >= 0.0F; }),
      "has a scale that is not a positive number");
  table.columns_ = table.codes_.size() / table.scales_.size();
  table.owner_ = file.keep_alive();
  return table;
}

void QuantisedTable::add_row(std::size_t number, float* to) const {
  add_scaled_codes(codes_.subspan(number * columns_, columns_), scales_[number], to);
}

void QuantisedTable::copy_row(std::size_t number, float* to) const {
  std::fill_n(to, columns_, 0.0F);
  add_row(number, to);
}

}  // namespace copse
