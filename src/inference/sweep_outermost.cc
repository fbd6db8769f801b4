#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/sweep_outermost.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
// After foreach_target.h:
#include "inference/sweep_contexts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

void inside_outermost(const ContextLayout<Contexts::parents_of_complete>& layout, Semiring semiring,
                      const Chart& chart) {
  inside_contexts(layout, semiring, chart);
}
void outside_outermost(const ContextLayout<Contexts::parents_of_complete>& layout, Semiring semiring,
                       const Chart& chart) {
  outside_contexts(layout, semiring, chart);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(inside_outermost);
HWY_EXPORT(outside_outermost);

void inside(const ContextLayout<Contexts::parents_of_complete>& layout, Semiring semiring,
            const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_outermost)(layout, semiring, chart);
}
void outside(const ContextLayout<Contexts::parents_of_complete>& layout, Semiring semiring,
             const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_outermost)(layout, semiring, chart);
}

}  // namespace copse
#endif
