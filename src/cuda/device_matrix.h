#pragma once

#include <cstddef>

#include "network/network_shape.h"
#include "network/parameters.h"

namespace copse::cuda {

// A matrix of floats in the memory of the GPU, by rows, that belongs to somebody else.
struct DeviceMatrix {
  float* data = nullptr;
  int rows = 0;
  int columns = 0;
  int stride = 0;  // from row to row

  DeviceMatrix() = default;
  DeviceMatrix(float* begin, std::size_t row_count, std::size_t column_count)
      : DeviceMatrix(begin, row_count, column_count, column_count) {}
  DeviceMatrix(float* begin, std::size_t row_count, std::size_t column_count, std::size_t row_stride)
      : data(begin),
        rows(static_cast<int>(row_count)),
        columns(static_cast<int>(column_count)),
        stride(static_cast<int>(row_stride)) {}

  DeviceMatrix in_columns(std::size_t begin, std::size_t count) const {
    return {data + begin, static_cast<std::size_t>(rows), count, static_cast<std::size_t>(stride)};
  }
  DeviceMatrix in_columns(const Columns& range) const { return in_columns(range.begin, range.size); }
  DeviceMatrix in_rows(std::size_t begin, std::size_t count) const {
    return {data + begin * static_cast<std::size_t>(stride), count, static_cast<std::size_t>(columns),
            static_cast<std::size_t>(stride)};
  }
};

// A block of weights, or of their gradient.
inline DeviceMatrix in(float* weights, const Block& block) {
  return {weights + block.offset, block.rows, block.columns};
}

}  // namespace copse::cuda
