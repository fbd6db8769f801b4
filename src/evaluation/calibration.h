#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/evaluator.h"

namespace copse {

// Arcs with similar probabilities.
struct ReliabilityBin {
  double lower = 0.0;  // for equal counts, the lowest probability in the bin and the highest
  double upper = 0.0;
  int64_t arcs = 0;
  double mean_probability = 0.0;
  double right = 0.0;  // share of the arcs
  // The gap |mean_probability - right| to expect of probabilities that are perfect: chance alone. By the
  // normal distribution, which is near enough from a handful of arcs on.
  double chance = 0.0;
};

struct Calibration {
  int64_t arcs = 0;
  double mean_probability = 0.0;
  double right = 0.0;  // share of the arcs
  double brier = 0.0;
  double log_loss = 0.0;  // in nats; probabilities are kept kLogLossMargin away from 0 and 1
  // Expected calibration errors: the means over all arcs of the gap |mean_probability - right| of their bins.
  double error_equal_width = 0.0;
  double error_equal_count = 0.0;
  // Those to expect of perfect probabilities, on as many arcs.
  double chance_equal_width = 0.0;
  double chance_equal_count = 0.0;
  // Without empty bins.
  std::vector<ReliabilityBin> equal_width;
  std::vector<ReliabilityBin> equal_count;
};

inline constexpr int kDefaultBins = 15;
inline constexpr double kLogLossMargin = 1e-6;

// `bins` is at least 1, and there is at least one arc; else DataError. Bins of equal count do not part arcs
// of equal probability, so that the order of the arcs makes no difference.
Calibration calibration(std::span<const ArcConfidence> arcs, int bins = kDefaultBins);

inline constexpr std::array<double, 9> kThresholds = {0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999};

// What remains of a system that keeps only the arcs with at least this probability.
struct ThresholdPoint {
  double threshold = 0.0;
  Ratio coverage;   // arcs kept, of all scored words
  Ratio precision;  // right ones of those
};

// At most `points` thresholds that keep about equally many more arcs from one to the next: for a curve that
// is drawn. Probabilities that arcs have, in ascending order; the first keeps all arcs.
std::vector<double> even_thresholds(std::span<const ArcConfidence> arcs, int points);

std::vector<ThresholdPoint> precision_curve(std::span<const ArcConfidence> arcs, int64_t scored_words,
                                            std::span<const double> thresholds = kThresholds);

}  // namespace copse
