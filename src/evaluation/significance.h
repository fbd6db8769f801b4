#pragma once

#include <cstdint>
#include <optional>

#include "evaluation/evaluator.h"
#include "evaluation/resampling.h"

namespace copse {

struct SignificanceOptions {
  int bootstrap = 1000;  // rounds of the intervals, 0 for none
  int trials = 10'000;   // of the tests, 0 for none
  std::uint64_t seed = 1;
};

// How far the scores of a system can be trusted, and its differences from another one.
struct Significance {
  std::optional<MeasureIntervals> intervals;
  // Against the first of several systems; not for that one itself.
  std::optional<PairedTest> uas_test;
  std::optional<PairedTest> las_test;  // if both have labels
};

// `first` may be the system itself. Both must have been compared with the same gold sentences.
Significance significance(const Evaluator& system, const Evaluator& first,
                          const SignificanceOptions& options = {});

}  // namespace copse
