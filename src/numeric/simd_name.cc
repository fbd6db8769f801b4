#include "numeric/simd_name.h"

#include "numeric/simd_targets.h"
// after the header above, which it reads
#include <hwy/targets.h>

namespace copse {

std::string simd_name() {
  // Better ones have lower bits.
  const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace copse
