#pragma once

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "inference/enumeration.h"
#include "inference/operations.h"
#include "inference/random_cases.h"

namespace copse::testing {

// The value that a chi-square variable exceeds with a probability of about 3e-7 (five standard deviations),
// by the approximation of Wilson and Hilferty.
inline double chi_square_limit(int degrees_of_freedom) {
  const double spread = 2.0 / (9.0 * degrees_of_freedom);
  return degrees_of_freedom * std::pow(1 - spread + 5 * std::sqrt(spread), 3);
}

// Cells of expected and observed counts; trees too rare for the approximation share one cell.
struct Cells {
  std::vector<std::pair<double, double>> expected_and_observed;
  double statistic() const {
    double sum = 0;
    for (const auto& [expected, observed] : expected_and_observed) {
      sum += (observed - expected) * (observed - expected) / expected;
    }
    return sum;
  }
};

inline Cells make_cells(const Enumeration& oracle, const std::map<Heads, int>& frequencies, int draws) {
  constexpr double fewest_expected = 8;
  Cells cells;
  std::pair<double, double> rare{0, 0};
  for (const Enumeration::Tree& tree : oracle.trees()) {
    const double expected = static_cast<double>(tree.probability) * draws;
    const auto found = frequencies.find(*tree.heads);
    const double observed = found == frequencies.end() ? 0 : found->second;
    if (expected >= fewest_expected) {
      cells.expected_and_observed.emplace_back(expected, observed);
    } else {
      rare.first += expected;
      rare.second += observed;
    }
  }
  if (rare.first >= fewest_expected || cells.expected_and_observed.empty()) {
    cells.expected_and_observed.push_back(rare);
  } else {
    cells.expected_and_observed.back().first += rare.first;
    cells.expected_and_observed.back().second += rare.second;
  }
  return cells;
}

inline bool passes_chi_square_test(const Enumeration& oracle, TreeDistribution& distribution, int words,
                                   Generator& random) {
  constexpr int draws = 20000;
  std::map<Heads, int> frequencies;
  Heads heads = no_heads(words);
  for (int draw = 0; draw < draws; ++draw) {
    distribution.sample(random, heads);
    ++frequencies[heads];
  }
  const Cells cells = make_cells(oracle, frequencies, draws);
  const int degrees_of_freedom = static_cast<int>(cells.expected_and_observed.size()) - 1;
  return degrees_of_freedom == 0 || cells.statistic() < chi_square_limit(degrees_of_freedom);
}

}  // namespace copse::testing
