#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/sweep_augmented.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
// After foreach_target.h:
#include "inference/sweep_contexts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {

void inside_augmented(const ContextLayout<Contexts::parents_and_siblings>& layout, Semiring semiring,
                      const Chart& chart) {
  inside_contexts(layout, semiring, chart);
}
void outside_augmented(const ContextLayout<Contexts::parents_and_siblings>& layout, Semiring semiring,
                       const Chart& chart) {
  outside_contexts(layout, semiring, chart);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(inside_augmented);
HWY_EXPORT(outside_augmented);

void inside(const ContextLayout<Contexts::parents_and_siblings>& layout, Semiring semiring,
            const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(inside_augmented)(layout, semiring, chart);
}
void outside(const ContextLayout<Contexts::parents_and_siblings>& layout, Semiring semiring,
             const Chart& chart) {
  HWY_DYNAMIC_DISPATCH(outside_augmented)(layout, semiring, chart);
}

}  // namespace copse
#endif
