// For .cu files only: how kernels over numbers one by one are started.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "cuda/device_array.h"

namespace copse::cuda {

constexpr int kThreads = 256;
constexpr unsigned kMostBlocks = 1U << 20;

inline unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>(std::min<std::size_t>((count + kThreads - 1) / kThreads, kMostBlocks));
}

template <class F>
__global__ void for_each_index(std::size_t count, F f) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count; k += step) f(k);
}

// f(k) for all k below count, on the GPU, in any order.
template <class F>
void run_for(std::size_t count, cudaStream_t stream, F f) {
  if (count == 0) return;
  for_each_index<<<blocks_for(count), kThreads, 0, stream>>>(count, f);
  check_cuda(cudaGetLastError(), "starting a kernel");
}

// The sum over a block of threads, in an order that depends on the number of threads alone; for all of them.
template <class T>
__device__ T sum_of_block(T value, T* room) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  __syncthreads();
  if (threadIdx.x % 32 == 0) room[warp] = value;
  __syncthreads();
  T sum = 0;
  for (int k = 0; k < static_cast<int>(blockDim.x) / 32; ++k) sum += room[k];
  return sum;
}

template <class T>
__device__ T highest_of_block(T value, T* room) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value = max(value, __shfl_xor_sync(0xFFFFFFFFU, value, offset));
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
  __syncthreads();
  if (threadIdx.x % 32 == 0) room[warp] = value;
  __syncthreads();
  T highest = room[0];
  for (int k = 1; k < static_cast<int>(blockDim.x) / 32; ++k) highest = max(highest, room[k]);
  return highest;
}

}  // namespace copse::cuda
