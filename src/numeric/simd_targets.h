// Which instruction sets are compiled; to be included before any header of Highway.
#pragma once

// Processors with SSE4 but no AVX2 are too rare to pay for in compile time; they take the scalar code.
// Vectors of unknown size (SVE, RISC-V) cannot be kept in arrays, which the sweeps do.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
