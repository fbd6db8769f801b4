#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/section_file.h"
#include "network/matrix_product.h"
#include "network/quantised_kernels.h"

namespace copse {

// Rows of activations in 8 bits, x ≈ scale (byte - 128), with a scale for each row that depends on nothing
// but the row. Memory is kept when sizes change.
class QuantisedRows {
 public:
  // Zeros, of the scale that numbers in [-1, 1] have. Rows may then be written by bounded_row().
  void assign_zeros(std::size_t rows, std::size_t columns);
  // With the scale that fits each row's largest magnitude.
  void assign(ConstMatrix values);
  // For rows to be set one by one; what they hold is not determined.
  void resize(std::size_t rows, std::size_t columns);
  // value = code × scale, |code| <= 127.
  void set_codes(std::size_t number, std::span<const std::int8_t> codes, float scale);
  void set_zeros(std::size_t number);
  // Of rows of the same length.
  void copy_row(std::size_t number, const QuantisedRows& from, std::size_t from_number);
  // Of numbers in [-1, 1], as the results of LSTMs are, with the scale 1 / 127.
  void assign_bounded(ConstMatrix values);

  std::size_t rows() const { return scales_.size(); }
  std::size_t columns() const { return columns_; }
  std::span<const std::uint8_t> row(std::size_t number) const {
    return {bytes_.data() + number * stride_, columns_};
  }
  float scale(std::size_t number) const { return scales_[number]; }
  ByteRows view() const { return {bytes_.data(), stride_, scales_.data()}; }

  // Where lstm_step() writes a row, after assign_zeros() or assign_bounded().
  std::uint8_t* bounded_row(std::size_t number) { return bytes_.data() + number * stride_; }

 private:
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<float> scales_;
};

// A matrix of weights [inputs × outputs] in 8 bits, w ≈ scale of the column × byte, |byte| <= 127 (see
// quantised_kernels.h). Constant after it was made, and so to be shared by threads. Products are sums of
// integers: a row's result depends neither on the other rows nor on the number of threads.
class QuantisedMatrix {
 public:
  QuantisedMatrix() = default;
  // Rounds. Throws std::invalid_argument unless all weights are finite.
  static QuantisedMatrix from(ConstMatrix weights);

  // Two sections, PREFIX.weights, by rows, and PREFIX.scales.
  void add_to(SectionFileWriter& writer, std::string_view prefix) const;
  // Throws DataError for sections that are not there or damaged.
  static QuantisedMatrix from_file(const SectionFile& file, std::string_view prefix);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  // The rounded weights as floats.
  void dequantise(Matrix weights) const;

  PackedWeights view() const;

  // result = rows · weights + bias, for the first result.rows of the rows. No bias if it is empty. Allocates
  // nothing.
  void multiply(const QuantisedRows& rows, std::span<const float> bias, Matrix result) const;

 private:
  QuantisedMatrix(std::size_t inputs, std::vector<float> scales, std::span<const std::int8_t> weights);
  std::int8_t weight(std::size_t input, std::size_t output) const;

  struct alignas(64) Vector {
    std::int8_t bytes[64];
  };

  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  std::vector<Vector> packed_;
  std::vector<float> scales_;  // filled up with zeros to whole vectors, like the next
  std::vector<std::int32_t> starts_;
};

}  // namespace copse
