// For .cu files only: what several layers do to rows of matrices, one number at a time (see run_for()).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/device_matrix.h"
#include "network/element_kernels.h"

namespace copse::cuda {

__device__ inline float rectified(float x) { return x > 0.0F ? x : kLeakySlope * x; }
// The gradient before the rectifier, of which the result is known.
__device__ inline float rectified_backward(float result, float gradient) {
  return result > 0.0F ? gradient : kLeakySlope * gradient;
}

// row += addend, for every row.
struct AddToRows {
  DeviceMatrix rows;
  const float* addend;
  __device__ void operator()(std::size_t k) const {
    const std::size_t column = k % rows.columns;
    rows.data[k / rows.columns * rows.stride + column] += addend[column];
  }
};

// to[k] = row rows[k] of a matrix, one after the other.
struct GatherRows {
  DeviceMatrix from;
  const std::uint32_t* rows;
  float* to;
  __device__ void operator()(std::size_t k) const {
    to[k] = from.data[static_cast<std::size_t>(rows[k / from.columns]) * from.stride + k % from.columns];
  }
};

// The way back, for rows of which each is there once.
struct AddToGatheredRows {
  const float* from;
  const std::uint32_t* rows;
  DeviceMatrix to;
  __device__ void operator()(std::size_t k) const {
    to.data[static_cast<std::size_t>(rows[k / to.columns]) * to.stride + k % to.columns] += from[k];
  }
};

}  // namespace copse::cuda
