#include "peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "../bench/peak.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace copse::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns something that depends on every operation, so that none is optimised away.
double spin(long rounds, double* operations) {
  const hn::CappedTag<double, 8> d;
  const auto factor = hn::Set(d, 0.999999999);
  const auto addend = hn::Set(d, 1e-9);
  // All different: compilers know that equal ones stay equal, and would compute them once.
  auto a0 = hn::Set(d, 1.0), a1 = hn::Set(d, 1.1), a2 = hn::Set(d, 1.2), a3 = hn::Set(d, 1.3);
  auto a4 = hn::Set(d, 1.4), a5 = hn::Set(d, 1.5), a6 = hn::Set(d, 1.6), a7 = hn::Set(d, 1.7);
  for (long i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(a0, factor, addend);
    a1 = hn::MulAdd(a1, factor, addend);
    a2 = hn::MulAdd(a2, factor, addend);
    a3 = hn::MulAdd(a3, factor, addend);
    a4 = hn::MulAdd(a4, factor, addend);
    a5 = hn::MulAdd(a5, factor, addend);
    a6 = hn::MulAdd(a6, factor, addend);
    a7 = hn::MulAdd(a7, factor, addend);
  }
  *operations = 8.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
  const auto sum =
      hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(hn::Add(a4, a5), hn::Add(a6, a7)));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}
// The largest of many numbers: nothing but loads.
double largest(const double* numbers, std::size_t count) {
  const hn::CappedTag<double, 8> d;
  const std::size_t step = hn::Lanes(d);
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  for (std::size_t i = 0; i + 4 * step <= count; i += 4 * step) {
    a = hn::Max(a, hn::LoadU(d, numbers + i));
    b = hn::Max(b, hn::LoadU(d, numbers + i + step));
    c = hn::Max(c, hn::LoadU(d, numbers + i + 2 * step));
    e = hn::Max(e, hn::LoadU(d, numbers + i + 3 * step));
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(a, b), hn::Max(c, e))));
}
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace copse::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse::bench {

HWY_EXPORT(spin);
HWY_EXPORT(largest);
HWY_EXPORT(target_name);

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double measured_peak_multiply_adds() {
  double best = 0.0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    double operations = 0.0;
    const double start = thread_seconds();
    volatile double sink = HWY_DYNAMIC_DISPATCH(spin)(20'000'000, &operations);
    (void)sink;
    const double seconds = thread_seconds() - start;
    if (operations / seconds > best) best = operations / seconds;
  }
  return best;
}
double measured_memory_bytes() {
  const std::vector<double> numbers(std::size_t{1} << 24, 1.0);  // 128 MB
  double best = 0.0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const double start = thread_seconds();
    volatile double sink = HWY_DYNAMIC_DISPATCH(largest)(numbers.data(), numbers.size());
    (void)sink;
    best = std::max(best, static_cast<double>(numbers.size() * sizeof(double)) / (thread_seconds() - start));
  }
  return best;
}
const char* vector_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace copse::bench
#endif
