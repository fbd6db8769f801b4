#include "evaluation/resampling.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "copse/error.h"

namespace copse {
namespace {

constexpr double kTail = 0.025;

// Unlike the distributions of the standard library, the same everywhere. `bound` is below 2^32.
size_t random_below(size_t bound, std::mt19937_64& random) { return ((random() >> 32U) * bound) >> 32U; }

// Between two ranks the outer one counts.
Interval percentile_interval(std::vector<double>& values) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {kNothing, kNothing};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return {values[static_cast<size_t>(std::floor(kTail * last))],
          values[static_cast<size_t>(std::ceil((1.0 - kTail) * last))]};
}

// Per sentence, how many more the second system has right; sentences without a difference are left out, since
// swapping changes nothing there.
std::vector<int64_t> differences(std::span<const Counts> first, std::span<const Counts> second,
                                 Measure measure) {
  constexpr const char* kNotPaired =
      "the systems cannot be paired; compare both with the same gold sentences, and not by precision";
  if (first.size() != second.size() || measure == Measure::precision) throw DataError(kNotPaired);
  std::vector<int64_t> found;
  for (size_t sentence = 0; sentence < first.size(); ++sentence) {
    const Ratio before = ratio(first[sentence], measure);
    const Ratio after = ratio(second[sentence], measure);
    if (before.whole != after.whole) throw DataError(kNotPaired);
    if (before.part != after.part) found.push_back(after.part - before.part);
  }
  return found;
}

int64_t sum_with_random_signs(std::span<const int64_t> values, std::mt19937_64& random) {
  int64_t sum = 0;
  uint64_t signs = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    signs = k % 64 == 0 ? random() : signs >> 1U;
    sum += (signs & 1U) != 0 ? values[k] : -values[k];
  }
  return sum;
}

}  // namespace

MeasureIntervals bootstrap_intervals(std::span<const Counts> sentences, const ResamplingOptions& options) {
  std::mt19937_64 random(options.seed);
  std::array<std::vector<double>, kMeasures.size()> values;
  for (int round = 0; round < options.rounds; ++round) {
    Counts drawn;
    for (size_t k = 0; k < sentences.size(); ++k) drawn += sentences[random_below(sentences.size(), random)];
    for (const Measure measure : kMeasures) {
      const Ratio value = ratio(drawn, measure);
      if (value.whole > 0) values[static_cast<size_t>(measure)].push_back(value.value());
    }
  }
  MeasureIntervals intervals;
  for (const Measure measure : kMeasures) {
    intervals[measure] = percentile_interval(values[static_cast<size_t>(measure)]);
  }
  return intervals;
}

PairedTest randomisation_test(std::span<const Counts> first, std::span<const Counts> second, Measure measure,
                              const ResamplingOptions& options) {
  const std::vector<int64_t> swappable = differences(first, second, measure);
  int64_t observed = 0;
  for (const int64_t difference : swappable) observed += difference;
  int64_t whole = 0;
  for (const Counts& counts : first) whole += ratio(counts, measure).whole;
  std::mt19937_64 random(options.seed);
  int at_least_observed = 0;
  for (int round = 0; round < options.rounds; ++round) {
    const int64_t sum = sum_with_random_signs(swappable, random);
    at_least_observed += std::abs(sum) >= std::abs(observed) ? 1 : 0;
  }
  return {Ratio{observed, whole}.value(), (at_least_observed + 1.0) / (options.rounds + 1.0)};
}

}  // namespace copse
