#pragma once

#include <cstddef>

namespace copse {

// A matrix of floats, by rows, that belongs to somebody else. Rows may lie further apart than they are long.
struct ConstMatrix {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;  // from row to row

  ConstMatrix() = default;
  ConstMatrix(const float* begin, std::size_t row_count, std::size_t column_count)
      : ConstMatrix(begin, row_count, column_count, column_count) {}
  ConstMatrix(const float* begin, std::size_t row_count, std::size_t column_count, std::size_t row_stride)
      : data(begin), rows(row_count), columns(column_count), stride(row_stride) {}

  const float* row(std::size_t number) const { return data + number * stride; }
};

struct Matrix {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;

  Matrix() = default;
  Matrix(float* begin, std::size_t row_count, std::size_t column_count)
      : Matrix(begin, row_count, column_count, column_count) {}
  Matrix(float* begin, std::size_t row_count, std::size_t column_count, std::size_t row_stride)
      : data(begin), rows(row_count), columns(column_count), stride(row_stride) {}
  operator ConstMatrix() const { return {data, rows, columns, stride}; }  // NOLINT: implicit, like a span

  float* row(std::size_t number) const { return data + number * stride; }
  Matrix in_columns(std::size_t begin, std::size_t count) const {
    return {data + begin, rows, count, stride};
  }
};

// What becomes of the numbers that stood in the result before.
enum class Into { replace, add };

// result = a b. On one thread: callers share out work among threads themselves, so that results do not depend
// on their number.
void multiply(ConstMatrix a, ConstMatrix b, Matrix result, Into into = Into::replace);
// result = a bᵀ.
void multiply_transposed(ConstMatrix a, ConstMatrix b, Matrix result, Into into = Into::replace);
// result = aᵀ b.
void multiply_by_transposed(ConstMatrix a, ConstMatrix b, Matrix result, Into into = Into::replace);

// To be called by every thread before it uses oneDNN in any other way.
void use_one_thread();

}  // namespace copse
