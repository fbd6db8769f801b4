// Launches of the solvers, which solve_*.cu compile.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "batch/cuda/sentence_solver.h"

namespace copse {

// Sizes of tiles that solvers are compiled for, by index: without grandparents a tile shares the terms of an
// item, with them it is the lanes of one.
inline constexpr int kTileSizes = 3;
constexpr int tile_size_of(bool grandparents, int index) {
  constexpr int kSizes[2][kTileSizes] = {{4, 8, 16}, {8, 16, 32}};
  return kSizes[grandparents ? 1 : 0][index];
}

// Of a block. Sentences with lanes have work for more, and long ones need it: few of them run at a time.
constexpr int most_threads(bool grandparents) { return grandparents ? 1024 : 256; }

struct LaunchShape {
  int blocks;
  int threads;     // of a block
  int tile_index;  // see tile_size_of()
  std::size_t shared_bytes;
};

// What the blocks of one launch work on, and with.
struct LaunchRange {
  int first_job;
  int last_job;                  // one past the end
  double* scratch;               // charts in global memory; null: they are in shared memory
  std::int64_t scratch_numbers;  // for each block
  std::uint64_t* stacks;
  std::int64_t stack_numbers;  // for each block
  int stack_count;             // threads that have one
};

// One solver for each factorization and arithmetic.
template <class Number, bool kSiblings, bool kGrandparents>
struct SolverKernels {
  static cudaError_t launch(ChartArithmetic arithmetic, const SolverArguments<Number>& arguments,
                            const LaunchRange& range, const LaunchShape& shape, cudaStream_t stream);
  // Blocks of this shape that a multiprocessor holds at once.
  static cudaError_t resident_blocks(const LaunchShape& shape, int& blocks);
};

}  // namespace copse
