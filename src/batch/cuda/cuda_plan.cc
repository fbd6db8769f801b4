// Host code without CUDA's run time, but only of use with it.
#ifdef COPSE_CUDA
#include "batch/cuda/cuda_plan.h"

namespace copse {
namespace {

struct ClassShape {
  int longest;
  int threads[2];     // without and with grandparents
  int tile_index[2];  // see tile_size_of()
};
// Without grandparents: found on an H200 with bench/gpu_inference --tune (first order). With them: chosen so
// that a thread has an item's lanes for itself in short sentences, of which many run at once, and that long
// ones, of which few do, have all threads that a block can have; --tune finds up to 25% more for some.
constexpr ClassShape kShapes[kLengthClasses] = {
    {6, {32, 64}, {0, 0}},    {10, {32, 64}, {0, 0}},   {16, {64, 128}, {0, 0}},  {24, {128, 128}, {0, 0}},
    {32, {256, 256}, {1, 0}}, {48, {256, 256}, {1, 1}}, {64, {256, 512}, {1, 2}}, {0, {256, 1024}, {2, 2}},
};

}  // namespace

int class_of_length(int words) {
  int length_class = 0;
  while (length_class + 1 < kLengthClasses && words > kShapes[length_class].longest) ++length_class;
  return length_class;
}

LaunchShape shape_of_class(int length_class, bool grandparents, const CudaTuning& tuning) {
  const ClassShape& shape = kShapes[length_class];
  const int column = grandparents ? 1 : 0;
  return {.blocks = 0,
          .threads = tuning.threads > 0 ? tuning.threads : shape.threads[column],
          .tile_index = tuning.tile_index >= 0 ? tuning.tile_index : shape.tile_index[column],
          .shared_bytes = 0};
}

}  // namespace copse
#endif
