#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/sweep_context.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
// After foreach_target.h:
#include "inference/sweep_contexts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

void inside_plain(const ContextLayout<Contexts::none>& layout, Semiring semiring, const Chart& chart) {
  inside_contexts(layout, semiring, chart);
}
void outside_plain(const ContextLayout<Contexts::none>& layout, Semiring semiring, const Chart& chart) {
  outside_contexts(layout, semiring, chart);
}
void inside_grand(const ContextLayout<Contexts::parents>& layout, Semiring semiring, const Chart& chart) {
  inside_contexts(layout, semiring, chart);
}
void outside_grand(const ContextLayout<Contexts::parents>& layout, Semiring semiring, const Chart& chart) {
  outside_contexts(layout, semiring, chart);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(inside_plain);
HWY_EXPORT(outside_plain);
HWY_EXPORT(inside_grand);
HWY_EXPORT(outside_grand);

void inside(const ContextLayout<Contexts::none>& layout, Semiring semiring, const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_plain)(layout, semiring, chart);
}
void outside(const ContextLayout<Contexts::none>& layout, Semiring semiring, const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_plain)(layout, semiring, chart);
}
void inside(const ContextLayout<Contexts::parents>& layout, Semiring semiring, const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_grand)(layout, semiring, chart);
}
void outside(const ContextLayout<Contexts::parents>& layout, Semiring semiring, const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_grand)(layout, semiring, chart);
}

}  // namespace copse
#endif
