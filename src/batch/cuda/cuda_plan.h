// How the sentences of a batch are put into launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "batch/batch_back_end.h"
#include "batch/cuda/launch.h"

namespace copse {

// What may be tried on other GPUs. Answers do not depend on it, but for tiles and threads, whose number
// decides the order of sums: these are chosen by the length of a sentence alone.
struct CudaTuning {
  // A block's charts are in shared memory if they fit into so many bytes.
  std::size_t shared_bytes = 48 * 1024;
  std::size_t shared_bytes_with_grandparents = 24 * 1024;
  // The most of the GPU's free memory that charts may take.
  double share_of_memory = 0.4;
  // By class of lengths (see class_of_length); 0: as they are chosen by default.
  int threads = 0;
  int tile_index = -1;
};

// Sentences of similar length.
struct LaunchClass {
  LaunchShape shape;
  LaunchRange range;
};

// Classes are bounded by these numbers of words; the last one has all that are longer.
inline constexpr int kLengthClasses = 8;
int class_of_length(int words);

// The shape for a class, but for the number of blocks and shared memory.
LaunchShape shape_of_class(int length_class, bool grandparents, const CudaTuning& tuning);

std::unique_ptr<BatchBackEnd> make_cuda_back_end(const BatchOptions& options, const CudaTuning& tuning);

}  // namespace copse
