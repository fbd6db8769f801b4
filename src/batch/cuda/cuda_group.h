// A block of threads, as code that does not depend on the device sees it (tests have emulated ones).
#pragma once

namespace copse {

// The threads of a block, in tiles that are parts of a warp.
template <int kTile>
class CudaGroup {
 public:
  __device__ __forceinline__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ __forceinline__ static constexpr int tile_size() { return kTile; }
  __device__ __forceinline__ int rank() const { return thread() % kTile; }
  __device__ __forceinline__ int tile() const { return thread() / kTile; }
  __device__ __forceinline__ int tiles() const { return threads() / kTile; }
  __device__ __forceinline__ void barrier() const { __syncthreads(); }
  __device__ __forceinline__ double shuffle_xor(double x, int offset) const {
    return __shfl_xor_sync(tile_mask(), x, offset);
  }
  __device__ double block_sum(double x) const {
    __shared__ double sums[32];
    for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffffU, x, offset);
    if (thread() % 32 == 0) sums[thread() / 32] = x;
    __syncthreads();
    double sum = 0.0;
    for (int warp = 0; warp < threads() / 32; ++warp) sum += sums[warp];
    __syncthreads();
    return sum;
  }

 private:
  __device__ __forceinline__ unsigned tile_mask() const {
    if constexpr (kTile == 32) return 0xffffffffU;
    return ((1U << (kTile % 32)) - 1U) << (thread() % 32 / kTile * kTile);
  }
};

}  // namespace copse
