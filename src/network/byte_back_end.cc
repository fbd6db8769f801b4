#include "network/byte_back_end.h"

namespace copse {

void ByteBackEnd::look_up(const QuantisedTable& table, Numbers numbers, Matrix to, Into into) {
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (into == Into::add) {
      table.add_row(numbers[row], to.row(row));
    } else {
      table.copy_row(numbers[row], to.row(row));
    }
  }
}

void ByteBackEnd::sum_up(const QuantisedTable& table, const Lists& lists, Matrix to) {
  for (std::size_t row = 0; row < to.rows; ++row) {
    std::fill_n(to.row(row), to.columns, 0.0F);
    for (std::uint32_t k = lists.begins[row]; k < lists.begins[row + 1]; ++k) {
      table.add_row(lists.values[k], to.row(row));
    }
  }
}

void ByteBackEnd::read_vectors(GivenVectors vectors, SignedNumbers numbers, Activations& to) {
  QuantisedRows& rows = to.bytes();
  rows.resize(numbers.size(), vectors->dimension());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (numbers[row] < 0) {
      rows.set_zeros(row);
    } else {
      const auto word = static_cast<std::size_t>(numbers[row]);
      rows.set_codes(row, vectors->row(word), vectors->scale(word));
    }
  }
}

}  // namespace copse
