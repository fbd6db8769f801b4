#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse {

// Charts in SVG of what changes in the course of something. Whatever is a text is escaped here.

struct CurvePoint {
  double x = 0.0;
  double y = 0.0;
  std::string tooltip;
};

struct CurveChart {
  std::string description;  // for those who cannot see it
  std::string axis;         // what x is, a whole number
  std::vector<CurvePoint> points;
  std::optional<std::size_t> marked;  // a point that stands out
  bool is_share = false;              // values are shares, and drawn in percent
  bool has_markers = false;           // at every point, not at the marked one alone
};

// Values that differ by powers of ten are drawn on a logarithmic axis.
std::string curve_chart(const CurveChart& chart);

struct NamedBar {
  std::string name;
  double value = 0.0;  // not below 0
  std::string text;    // of the value
};

// Bars below each other, with their names at the left and texts at the right.
std::string bar_chart(const std::string& description, std::span<const NamedBar> bars);

}  // namespace copse
