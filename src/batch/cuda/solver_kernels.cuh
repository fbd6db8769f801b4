// The kernels; each solve_*.cu compiles those of one factorization.
#pragma once

#include "batch/cuda/cuda_group.h"
#include "batch/cuda/launch.h"

namespace copse {

// Enough threads on a multiprocessor to hide latency, at the price of some registers.
constexpr int least_blocks(bool grandparents) { return 1024 / most_threads(grandparents); }

template <class Number, bool kSiblings, bool kGrandparents, ChartArithmetic kArithmetic, int kTile>
__global__ void __launch_bounds__(most_threads(kGrandparents), least_blocks(kGrandparents))
    solve_sentences(const __grid_constant__ SolverArguments<Number> arguments,
                    const __grid_constant__ LaunchRange range) {
  extern __shared__ double shared[];
  const std::int64_t block = blockIdx.x;
  double* memory = range.scratch == nullptr ? shared : range.scratch + block * range.scratch_numbers;
  const CudaGroup<kTile> group;
  using Solver = SentenceSolver<Number, kSiblings, kGrandparents, kArithmetic, CudaGroup<kTile>>;
  __shared__ alignas(16) unsigned char view[sizeof(typename Solver::View)];
  Solver solver(arguments, group, *reinterpret_cast<typename Solver::View*>(view), memory,
                range.stacks + block * range.stack_numbers, range.stack_count);
  // Long sentences come first.
  for (int job = range.first_job + static_cast<int>(block); job < range.last_job;
       job += static_cast<int>(gridDim.x)) {
    solver.solve(job);
  }
}

template <class Number, bool kSiblings, bool kGrandparents>
struct KernelTable {
  using Kernel = void (*)(SolverArguments<Number>, LaunchRange);

  // Sums in the log domain and maxima are rarer, and have one size of tiles.
  static Kernel find(ChartArithmetic arithmetic, int tile_index) {
    constexpr int kOnly = tile_size_of(kGrandparents, 1);
    switch (arithmetic) {
      case ChartArithmetic::log:
        return solve_sentences<Number, kSiblings, kGrandparents, ChartArithmetic::log, kOnly>;
      case ChartArithmetic::maximum:
        return solve_sentences<Number, kSiblings, kGrandparents, ChartArithmetic::maximum, kOnly>;
      default:
        break;
    }
    switch (tile_index) {
      case 0:
        return linear<0>();
      case 1:
        return linear<1>();
      default:
        return linear<2>();
    }
  }

 private:
  template <int kIndex>
  static Kernel linear() {
    return solve_sentences<Number, kSiblings, kGrandparents, ChartArithmetic::linear,
                           tile_size_of(kGrandparents, kIndex)>;
  }
};

template <class Number, bool kSiblings, bool kGrandparents>
cudaError_t SolverKernels<Number, kSiblings, kGrandparents>::launch(ChartArithmetic arithmetic,
                                                                    const SolverArguments<Number>& arguments,
                                                                    const LaunchRange& range,
                                                                    const LaunchShape& shape,
                                                                    cudaStream_t stream) {
  const auto kernel = KernelTable<Number, kSiblings, kGrandparents>::find(arithmetic, shape.tile_index);
  if (shape.shared_bytes > 0) {
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(shape.shared_bytes));
    if (error != cudaSuccess) return error;
  }
  kernel<<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads), shape.shared_bytes,
           stream>>>(arguments, range);
  return cudaGetLastError();
}

template <class Number, bool kSiblings, bool kGrandparents>
cudaError_t SolverKernels<Number, kSiblings, kGrandparents>::resident_blocks(const LaunchShape& shape,
                                                                             int& blocks) {
  const auto kernel =
      KernelTable<Number, kSiblings, kGrandparents>::find(ChartArithmetic::linear, shape.tile_index);
  cudaError_t error = cudaSuccess;
  if (shape.shared_bytes > 0) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shape.shared_bytes));
  }
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, shape.threads, shape.shared_bytes);
}

}  // namespace copse
