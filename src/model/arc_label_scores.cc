#include "copse/model/arc_label_scores.h"

#include <algorithm>
#include <cmath>

namespace copse {

int ArcLabelScores::best(int arc) const {
  const std::span<const double> scores = of(arc);
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

double ArcLabelScores::log_sum(int arc) const {
  const std::span<const double> scores = of(arc);
  const double highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - highest);
  return highest + std::log(sum);
}

void ArcLabelScores::probabilities(int arc, std::span<double> probabilities) const {
  const std::span<const double> scores = of(arc);
  const double highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) sum += probabilities[k] = std::exp(scores[k] - highest);
  for (double& probability : probabilities) probability /= sum;
}

}  // namespace copse
