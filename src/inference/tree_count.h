#pragma once

#include <algorithm>
#include <cmath>

#include "copse/inference/arc_set.h"

namespace copse {

// Upper bound of the log of the number of trees: there are C(3n, n) / (2n + 1) projective ones over n words,
// which is below 6.75^n sqrt(3 / (4 pi n)) / (2n + 1), and no more than ways to choose a head for every word.
inline double log_tree_count_bound(const ArcSet& arcs) {
  double log_choices = 0.0;
  double choices = 1.0;
  for (int m = 1; m <= arcs.words(); ++m) {
    choices *= static_cast<double>(arcs.incoming(m).size());
    if (choices < 1e200) continue;
    log_choices += std::log(choices);
    choices = 1.0;
  }
  const double n = arcs.words();
  const double log_projective = n * std::log(6.75) + 0.5 * std::log(0.2387325 / n) - std::log(2 * n + 1);
  return std::min(log_choices + std::log(choices), log_projective);
}

}  // namespace copse
