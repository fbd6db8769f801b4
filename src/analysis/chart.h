#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/analysis.h"

namespace copse {

// Charts in SVG. Systems are told apart by colour, shape of the marker and dashes of the line; all three
// follow from the number of the system. Values are shares and are drawn in percent. Thin lines are 95%
// intervals (Wilson's), as if arcs were independent. Whatever is a text is escaped here.

struct Series {
  std::string name;
  size_t system = 0;
  std::vector<Ratio> values;  // one per bin; bins where the whole is 0 have no marker
};

// What the series of a chart are about.
struct BinnedChart {
  std::string title;
  std::string axis;  // what the bins are of
  std::vector<std::string> bins;
  std::vector<int64_t> counts;  // how many arcs are in the bins; drawn as bars
  std::string counted;          // what they are counts of
  std::vector<Series> series;
  bool is_last_apart = false;  // the last bin is no continuation of the others
  double axis_low = 0.0;
  double axis_high = 1.0;
};

// Gives charts the same axis, as short as their values allow: up to 1, or else from 0 on.
enum class AxisEnd : uint8_t { one, zero };
void share_axis(std::span<BinnedChart> charts, AxisEnd fixed = AxisEnd::one);

// Bins from left to right, markers joined by lines.
std::string line_chart(const BinnedChart& chart);

// Bins below each other, with their names at the left and counts at the right.
std::string dot_chart(const BinnedChart& chart);

// How often arcs are right, by how probable the system said they are.
std::string reliability_chart(const std::string& name, size_t system, const Calibration& calibration);

struct CoverageSeries {
  std::string name;
  size_t system = 0;
  std::span<const ThresholdPoint> curve;
  std::span<const ThresholdPoint> marked;  // these have markers
};

// Precision against coverage, if only arcs above some probability are kept.
std::string coverage_chart(std::span<const CoverageSeries> series);

// Words by their gold label (rows) and the label that the system gave them (columns), for the labels
// given. Shades are shares of the row.
std::string confusion_chart(const std::string& name, std::span<const LabelPair> pairs,
                            std::span<const std::string> labels);

// A marker for legends in texts.
std::string legend_marker(size_t system);

}  // namespace copse
