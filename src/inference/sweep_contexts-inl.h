// Sweeps over charts with contexts. Compiled once per SIMD target, see recursion-inl.h.
#if defined(COPSE_SWEEP_CONTEXTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_SWEEP_CONTEXTS_INL_H_
#undef COPSE_SWEEP_CONTEXTS_INL_H_
#else
#define COPSE_SWEEP_CONTEXTS_INL_H_
#endif

#include "inference/inside_sweep-inl.h"
#include "inference/outside_sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

template <template <class, class, Semiring> class SweepType, Semiring kSemiring, Contexts kContexts>
void sweep_contexts(const ContextLayout<kContexts>& layout, const Chart& chart) {
  using Layout = ContextLayout<kContexts>;
  // Models with parents or siblings of incomplete spans alone always have siblings.
  constexpr bool kMayLackSiblings = kContexts == Contexts::none || kContexts == Contexts::parents;
  if constexpr (kMayLackSiblings) {
    if (!has_siblings(layout.parts().factorization())) {
      return SweepType<Recursion<false, kContexts>, Layout, kSemiring>(layout, chart).run();
    }
  }
  SweepType<Recursion<true, kContexts>, Layout, kSemiring>(layout, chart).run();
}

template <Contexts kContexts>
void inside_contexts(const ContextLayout<kContexts>& layout, Semiring semiring, const Chart& chart) {
  switch (semiring) {
    case Semiring::linear:
      return sweep_contexts<InsideSweep, Semiring::linear>(layout, chart);
    case Semiring::log:
      return sweep_contexts<InsideSweep, Semiring::log>(layout, chart);
    case Semiring::maximum:
      return sweep_contexts<InsideSweep, Semiring::maximum>(layout, chart);
  }
}

template <Contexts kContexts>
void outside_contexts(const ContextLayout<kContexts>& layout, Semiring semiring, const Chart& chart) {
  if (semiring == Semiring::linear) {
    sweep_contexts<OutsideSweep, Semiring::linear>(layout, chart);
  } else {
    sweep_contexts<OutsideSweep, Semiring::log>(layout, chart);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
