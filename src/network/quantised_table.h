#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "io/section_file.h"
#include "network/matrix_product.h"

namespace copse {

// Rows of numbers to look up, in 8 bits: value = code × scale of the row, |code| <= 127. Constant once made,
// and cheap to copy: threads share it.
class QuantisedTable {
 public:
  // No rows.
  QuantisedTable() = default;
  // Rounds. Throws std::invalid_argument unless all values are finite.
  static QuantisedTable from(ConstMatrix values);

  // Two sections, PREFIX.codes, by rows, and PREFIX.scales. The writer borrows them until it is closed.
  void add_to(SectionFileWriter& writer, std::string_view prefix) const;
  // Throws DataError for sections that are not there or damaged. The bytes are used where they lie.
  static QuantisedTable from_file(const SectionFile& file, std::string_view prefix);

  std::size_t rows() const { return scales_.size(); }
  std::size_t columns() const { return columns_; }
  std::span<const float> scales() const { return scales_; }
  // to += the row, of columns() numbers.
  void add_row(std::size_t number, float* to) const;
  void copy_row(std::size_t number, float* to) const;

 private:
  std::shared_ptr<const void> owner_;  // of what the spans show
  std::span<const std::int8_t> codes_;
  std::span<const float> scales_;
  std::size_t columns_ = 0;
};

}  // namespace copse
