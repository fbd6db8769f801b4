#include "evaluation/calibration.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "copse/error.h"

namespace copse {
namespace {

using Arcs = std::span<const ArcConfidence>;

ReliabilityBin make_bin(Arcs arcs, double lower, double upper) {
  ReliabilityBin bin{lower, upper, static_cast<int64_t>(arcs.size())};
  double variance = 0.0;
  for (const ArcConfidence& arc : arcs) {
    bin.mean_probability += arc.probability;
    bin.right += arc.is_right ? 1.0 : 0.0;
    variance += arc.probability * (1.0 - arc.probability);
  }
  bin.mean_probability /= static_cast<double>(arcs.size());
  bin.right /= static_cast<double>(arcs.size());
  bin.chance = std::sqrt(2.0 / std::numbers::pi * variance) / static_cast<double>(arcs.size());
  return bin;
}

// All functions below take arcs in the order of their probabilities.

std::vector<ReliabilityBin> equal_width_bins(Arcs arcs, int bins) {
  const auto number_of = [bins](const ArcConfidence& arc) {
    return std::min(static_cast<int>(arc.probability * bins), bins - 1);
  };
  std::vector<ReliabilityBin> found;
  while (!arcs.empty()) {
    const int number = number_of(arcs.front());
    const auto end = std::find_if(arcs.begin(), arcs.end(),
                                  [&](const ArcConfidence& arc) { return number_of(arc) != number; });
    const auto size = static_cast<size_t>(end - arcs.begin());
    found.push_back(make_bin(arcs.first(size), static_cast<double>(number) / bins,
                             static_cast<double>(number + 1) / bins));
    arcs = arcs.subspan(size);
  }
  return found;
}

std::vector<ReliabilityBin> equal_count_bins(Arcs arcs, int bins) {
  std::vector<ReliabilityBin> found;
  size_t begin = 0;
  for (int number = 1; number <= bins; ++number) {
    size_t end = arcs.size() * static_cast<size_t>(number) / static_cast<size_t>(bins);
    while (end > 0 && end < arcs.size() && arcs[end].probability == arcs[end - 1].probability) ++end;
    if (end <= begin) continue;
    found.push_back(
        make_bin(arcs.subspan(begin, end - begin), arcs[begin].probability, arcs[end - 1].probability));
    begin = end;
  }
  return found;
}

double expected_error(std::span<const ReliabilityBin> bins, int64_t arcs) {
  double sum = 0.0;
  for (const ReliabilityBin& bin : bins) {
    sum += static_cast<double>(bin.arcs) * std::abs(bin.mean_probability - bin.right);
  }
  return sum / static_cast<double>(arcs);
}

double expected_chance(std::span<const ReliabilityBin> bins, int64_t arcs) {
  double sum = 0.0;
  for (const ReliabilityBin& bin : bins) sum += static_cast<double>(bin.arcs) * bin.chance;
  return sum / static_cast<double>(arcs);
}

double loss(const ArcConfidence& arc) {
  const double probability = std::clamp(arc.probability, kLogLossMargin, 1.0 - kLogLossMargin);
  return -std::log(arc.is_right ? probability : 1.0 - probability);
}

double squared_error(const ArcConfidence& arc) {
  const double error = (arc.is_right ? 1.0 : 0.0) - arc.probability;
  return error * error;
}

}  // namespace

Calibration calibration(std::span<const ArcConfidence> arcs, int bins) {
  if (arcs.empty()) throw DataError("no arc has a probability; calibrate a system that writes them");
  if (bins < 1) throw DataError("calibration needs at least one bin; ask for more");
  std::vector<ArcConfidence> sorted(arcs.begin(), arcs.end());
  std::sort(sorted.begin(), sorted.end(), [](const ArcConfidence& left, const ArcConfidence& right) {
    return left.probability < right.probability;
  });
  const ReliabilityBin all = make_bin(sorted, sorted.front().probability, sorted.back().probability);
  Calibration result;
  result.arcs = all.arcs;
  result.mean_probability = all.mean_probability;
  result.right = all.right;
  for (const ArcConfidence& arc : sorted) {
    result.brier += squared_error(arc);
    result.log_loss += loss(arc);
  }
  result.brier /= static_cast<double>(all.arcs);
  result.log_loss /= static_cast<double>(all.arcs);
  result.equal_width = equal_width_bins(sorted, bins);
  result.equal_count = equal_count_bins(sorted, bins);
  result.error_equal_width = expected_error(result.equal_width, all.arcs);
  result.error_equal_count = expected_error(result.equal_count, all.arcs);
  result.chance_equal_width = expected_chance(result.equal_width, all.arcs);
  result.chance_equal_count = expected_chance(result.equal_count, all.arcs);
  return result;
}

std::vector<double> even_thresholds(std::span<const ArcConfidence> arcs, int points) {
  std::vector<double> probabilities;
  for (const ArcConfidence& arc : arcs) probabilities.push_back(arc.probability);
  std::sort(probabilities.begin(), probabilities.end());
  std::vector<double> thresholds;
  for (int number = 0; number < points && !probabilities.empty(); ++number) {
    thresholds.push_back(
        probabilities[probabilities.size() * static_cast<size_t>(number) / static_cast<size_t>(points)]);
  }
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  return thresholds;
}

std::vector<ThresholdPoint> precision_curve(std::span<const ArcConfidence> arcs, int64_t scored_words,
                                            std::span<const double> thresholds) {
  std::vector<ThresholdPoint> curve;
  for (const double threshold : thresholds) {
    int64_t kept = 0;
    int64_t right = 0;
    for (const ArcConfidence& arc : arcs) {
      if (arc.probability < threshold) continue;
      ++kept;
      right += arc.is_right ? 1 : 0;
    }
    curve.push_back({threshold, {kept, scored_words}, {right, kept}});
  }
  return curve;
}

}  // namespace copse
