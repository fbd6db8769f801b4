// The arithmetic of charts, for the GPU and for the host that emulates it.
#pragma once

#include <cmath>
#include <limits>

// Device code under nvcc; ordinary functions elsewhere, where tests run the same schedule.
#ifdef __CUDACC__
#define COPSE_DEVICE __device__ __forceinline__
// What is rare must not cost registers where time is spent.
#define COPSE_DEVICE_CALLED __device__ __noinline__
// Arrays indexed in such a loop can be registers.
#define COPSE_UNROLL _Pragma("unroll")
#define COPSE_UNROLL_BY_4 _Pragma("unroll 4")
#define COPSE_KEEP_LOOP _Pragma("unroll 1")
#else
#define COPSE_DEVICE inline
#define COPSE_DEVICE_CALLED inline
#define COPSE_UNROLL
#define COPSE_UNROLL_BY_4
#define COPSE_KEEP_LOOP
#endif

namespace copse {

enum class ChartArithmetic : unsigned char {
  linear,   // sums of products of scaled weights
  log,      // the same in the log domain
  maximum,  // maxima of sums of potentials
};

inline constexpr double kLogOfZero = -std::numeric_limits<double>::infinity();

template <ChartArithmetic kArithmetic>
struct ChartNumbers {
  static constexpr bool kIsLinear = kArithmetic == ChartArithmetic::linear;
  static constexpr double kZero = kIsLinear ? 0.0 : kLogOfZero;
  static constexpr double kOne = kIsLinear ? 1.0 : 0.0;

  COPSE_DEVICE static double times(double a, double b) { return kIsLinear ? a * b : a + b; }
};

// The sum of terms that the threads of a tile have, each some of them.
template <ChartArithmetic kArithmetic>
struct ChartSum {
  double sum = ChartNumbers<kArithmetic>::kZero;

  COPSE_DEVICE void add(double term) {
    if constexpr (kArithmetic == ChartArithmetic::linear) {
      sum += term;
    } else {
      sum = term > sum ? term : sum;
    }
  }
  // Every thread has the whole afterwards.
  template <class Group>
  COPSE_DEVICE void merge(const Group& group) {
    for (int offset = 1; offset < group.tile_size(); offset *= 2) add(group.shuffle_xor(sum, offset));
  }
  COPSE_DEVICE double value() const { return sum; }
};

template <>
struct ChartSum<ChartArithmetic::log> {
  double highest = kLogOfZero;
  double sum = 0.0;  // of exp(term - highest)

  COPSE_DEVICE void add(double term) { add(term, 1.0); }
  template <class Group>
  COPSE_DEVICE void merge(const Group& group) {
    for (int offset = 1; offset < group.tile_size(); offset *= 2) {
      const double other = group.shuffle_xor(highest, offset);
      add(other, group.shuffle_xor(sum, offset));
    }
  }
  COPSE_DEVICE double value() const { return highest == kLogOfZero ? kLogOfZero : highest + log(sum); }

 private:
  COPSE_DEVICE void add(double other, double other_sum) {
    if (other == kLogOfZero) return;
    if (other > highest) {
      sum = (highest == kLogOfZero ? 0.0 : sum * exp(highest - other)) + other_sum;
      highest = other;
    } else {
      sum += other_sum * exp(other - highest);
    }
  }
};

template <class Group>
COPSE_DEVICE double tile_sum(const Group& group, double x) {
  for (int offset = 1; offset < group.tile_size(); offset *= 2) x += group.shuffle_xor(x, offset);
  return x;
}
template <class Group>
COPSE_DEVICE double tile_maximum(const Group& group, double x) {
  for (int offset = 1; offset < group.tile_size(); offset *= 2) {
    const double other = group.shuffle_xor(x, offset);
    x = other > x ? other : x;
  }
  return x;
}

}  // namespace copse
