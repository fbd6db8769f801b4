#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

// Before any header of Highway: the targets that the library is compiled for.
#include "numeric/simd_targets.h"

#include <hwy/targets.h>

namespace copse::testing {

// Runs check() once for every instruction set that both the processor and the library have, so that it is not
// the best one alone that is tested.
template <class Check>
void on_every_simd_target(Check check) {
  hwy::SetSupportedTargetsForTest(0);
  int targets = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check();
    ++targets;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_GT(targets, 0);
#if HWY_ARCH_X86 && !defined(COPSE_SANITIZED)
  EXPECT_GT(std::popcount(static_cast<std::uint64_t>(HWY_TARGETS)), 1) << "what ships chooses when it starts";
#endif
}

}  // namespace copse::testing
