#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace copse {

// The logarithm of the sum of exp(score) over at least one score, of any magnitude.
double log_sum_exp(std::span<const double> scores);
// The same, and sets the probabilities exp(score) / sum.
double log_sum_exp(std::span<const double> scores, double* probabilities);

// The index of the highest score, the first of several.
inline std::size_t best_of(std::span<const double> scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace copse
