#include "numeric/log_sum_exp.h"

#include <cmath>

namespace copse {

double log_sum_exp(std::span<const double> scores) {
  if (scores.size() == 1) return scores.front();
  const double highest = scores[best_of(scores)];
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - highest);
  return highest + std::log(sum);
}

double log_sum_exp(std::span<const double> scores, double* probabilities) {
  if (scores.size() == 1) {
    *probabilities = 1.0;
    return scores.front();
  }
  const double highest = scores[best_of(scores)];
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) sum += probabilities[k] = std::exp(scores[k] - highest);
  for (std::size_t k = 0; k < scores.size(); ++k) probabilities[k] /= sum;
  return highest + std::log(sum);
}

}  // namespace copse
