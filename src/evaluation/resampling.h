#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "evaluation/evaluator.h"

namespace copse {

// Equal seeds give equal results, on every machine.
struct ResamplingOptions {
  int rounds = 1000;
  uint64_t seed = 1;
};

struct Interval {
  double lower = 0.0;
  double upper = 0.0;
};

// Bounds are not numbers where there is nothing to measure.
class MeasureIntervals {
 public:
  Interval& operator[](Measure measure) { return intervals_[static_cast<size_t>(measure)]; }
  const Interval& operator[](Measure measure) const { return intervals_[static_cast<size_t>(measure)]; }

 private:
  std::array<Interval, kMeasures.size()> intervals_;
};

// Percentile intervals of 95%: each round draws as many sentences as there are, with replacement.
MeasureIntervals bootstrap_intervals(std::span<const Counts> sentences,
                                     const ResamplingOptions& options = {});

struct PairedTest {
  double difference = 0.0;  // value of the second system minus that of the first
  double p = 1.0;
};

// Approximate randomisation: if the systems did not differ, their results on any sentence could be swapped.
// p is the two-sided share of rounds in which random swaps give at least the difference observed, the
// observation itself counted as one round more. Both systems must have been compared with the same gold
// sentences, and `measure` must not be precision, whose denominator depends on the system; else DataError.
PairedTest randomisation_test(std::span<const Counts> first, std::span<const Counts> second, Measure measure,
                              const ResamplingOptions& options = {});

}  // namespace copse
