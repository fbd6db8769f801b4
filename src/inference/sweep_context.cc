#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/sweep_context.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
// After foreach_target.h:
#include "inference/sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

template <template <class, class, Semiring> class SweepType, Semiring kSemiring, bool kGrandparents>
void sweep_contexts(const ContextLayout<kGrandparents>& layout, Factorization factorization,
                    const Chart& chart) {
  using Layout = ContextLayout<kGrandparents>;
  if (has_siblings(factorization)) {
    SweepType<Recursion<true, kGrandparents>, Layout, kSemiring>(layout, chart).run();
  } else {
    SweepType<Recursion<false, kGrandparents>, Layout, kSemiring>(layout, chart).run();
  }
}

template <bool kGrandparents>
void inside_contexts(const ContextLayout<kGrandparents>& layout, Factorization factorization,
                     Semiring semiring, const Chart& chart) {
  switch (semiring) {
    case Semiring::linear:
      return sweep_contexts<InsideSweep, Semiring::linear>(layout, factorization, chart);
    case Semiring::log:
      return sweep_contexts<InsideSweep, Semiring::log>(layout, factorization, chart);
    case Semiring::maximum:
      return sweep_contexts<InsideSweep, Semiring::maximum>(layout, factorization, chart);
  }
}

template <bool kGrandparents>
void outside_contexts(const ContextLayout<kGrandparents>& layout, Factorization factorization,
                      Semiring semiring, const Chart& chart) {
  if (semiring == Semiring::linear) {
    sweep_contexts<OutsideSweep, Semiring::linear>(layout, factorization, chart);
  } else {
    sweep_contexts<OutsideSweep, Semiring::log>(layout, factorization, chart);
  }
}

void inside_plain(const ContextLayout<false>& layout, Factorization factorization, Semiring semiring,
                  const Chart& chart) {
  inside_contexts(layout, factorization, semiring, chart);
}
void inside_grand(const ContextLayout<true>& layout, Factorization factorization, Semiring semiring,
                  const Chart& chart) {
  inside_contexts(layout, factorization, semiring, chart);
}
void outside_plain(const ContextLayout<false>& layout, Factorization factorization, Semiring semiring,
                   const Chart& chart) {
  outside_contexts(layout, factorization, semiring, chart);
}
void outside_grand(const ContextLayout<true>& layout, Factorization factorization, Semiring semiring,
                   const Chart& chart) {
  outside_contexts(layout, factorization, semiring, chart);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(inside_plain);
HWY_EXPORT(inside_grand);
HWY_EXPORT(outside_plain);
HWY_EXPORT(outside_grand);

void inside(const ContextLayout<false>& layout, Factorization factorization, Semiring semiring,
            const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_plain)(layout, factorization, semiring, chart);
}
void inside(const ContextLayout<true>& layout, Factorization factorization, Semiring semiring,
            const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_grand)(layout, factorization, semiring, chart);
}
void outside(const ContextLayout<false>& layout, Factorization factorization, Semiring semiring,
             const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_plain)(layout, factorization, semiring, chart);
}
void outside(const ContextLayout<true>& layout, Factorization factorization, Semiring semiring,
             const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_grand)(layout, factorization, semiring, chart);
}

}  // namespace copse
#endif
