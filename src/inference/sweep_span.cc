#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/sweep_span.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
// After foreach_target.h:
#include "inference/inside_sweep-inl.h"
#include "inference/outside_sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

template <template <class, class, Semiring> class SweepType, Semiring kSemiring>
void sweep_spans(const SpanLayout& layout, const Chart& chart) {
  if (has_siblings(layout.parts().factorization())) {
    SweepType<Recursion<true, Contexts::none>, SpanLayout, kSemiring>(layout, chart).run();
  } else {
    SweepType<Recursion<false, Contexts::none>, SpanLayout, kSemiring>(layout, chart).run();
  }
}

void inside_spans(const SpanLayout& layout, Semiring semiring, const Chart& chart) {
  switch (semiring) {
    case Semiring::linear:
      return sweep_spans<InsideSweep, Semiring::linear>(layout, chart);
    case Semiring::log:
      return sweep_spans<InsideSweep, Semiring::log>(layout, chart);
    case Semiring::maximum:
      return sweep_spans<InsideSweep, Semiring::maximum>(layout, chart);
  }
}

void outside_spans(const SpanLayout& layout, Semiring semiring, const Chart& chart) {
  if (semiring == Semiring::linear) {
    sweep_spans<OutsideSweep, Semiring::linear>(layout, chart);
  } else {
    sweep_spans<OutsideSweep, Semiring::log>(layout, chart);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(inside_spans);
HWY_EXPORT(outside_spans);

void inside(const SpanLayout& layout, Semiring semiring, const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_spans)(layout, semiring, chart);
}
void outside(const SpanLayout& layout, Semiring semiring, const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_spans)(layout, semiring, chart);
}

}  // namespace copse
#endif
