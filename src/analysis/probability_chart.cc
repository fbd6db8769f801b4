#include <fmt/format.h>

#include <algorithm>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "render/number_text.h"

namespace copse {
namespace {

constexpr double kPlotLeft = 46.0;
constexpr double kPlotTop = 10.0;
constexpr double kMostBar = 60.0;
constexpr double kTickGap = 15.0;  // below the axis
constexpr double kNameGap = 36.0;

// The plot from 0 to 1 (or from `low` to 1) in both directions.
struct Plot {
  Scale x;
  Scale y;
  std::string out;

  void paint_grid(std::string_view x_name) {
    for (double value = 1.0; value > y.low - 1e-9; value -= axis_step(y.high - y.low)) {
      out += svg_line("grid", x.from, y(value), x.to, y(value));
      out += svg_text("tick end", x.from - 6, y(value) + 3.5, fmt::format("{:.0f}%", 100.0 * value));
    }
    for (double value = 1.0; value > x.low - 1e-9; value -= axis_step(x.high - x.low)) {
      out += svg_line("grid", x(value), y.to, x(value), y.from);
      out += svg_text("tick", x(value), y.from + kTickGap, fmt::format("{:.0f}%", 100.0 * value));
    }
    out += svg_line("axis", x.from, y.from, x.to, y.from);
    out += svg_text("axis-name", (x.from + x.to) / 2, y.from + kNameGap, x_name);
  }
};

std::string curve_tooltip(const std::string& name, const ThresholdPoint& point) {
  return fmt::format("{}, P ≥ {}: coverage {}, precision {}", name, point.threshold,
                     percentage(point.coverage), detailed(point.precision));
}

}  // namespace

std::string reliability_chart(const std::string& name, size_t system, const Calibration& calibration) {
  constexpr double kSize = 280.0;
  Plot plot{{0.0, 1.0, kPlotLeft, kPlotLeft + kSize}, {0.0, 1.0, kPlotTop + kSize, kPlotTop}, {}};
  int64_t most = 1;
  for (const ReliabilityBin& bin : calibration.equal_width) most = std::max(most, bin.arcs);
  for (const ReliabilityBin& bin : calibration.equal_width) {
    const double height = kMostBar * static_cast<double>(bin.arcs) / static_cast<double>(most);
    const double width = plot.x(bin.upper) - plot.x(bin.lower);
    plot.out += svg_bar("bar", plot.x(bin.lower) + 0.1 * width, plot.y.from - height, 0.8 * width, height,
                        fmt::format("{:.3f}–{:.3f}: {} arcs", bin.lower, bin.upper, grouped(bin.arcs)));
  }
  plot.paint_grid("probability that the system gives");
  plot.out += svg_line("ideal", plot.x(0.0), plot.y(0.0), plot.x(1.0), plot.y(1.0));
  std::string line;
  std::string markers;
  for (const ReliabilityBin& bin : calibration.equal_width) {
    const double x = plot.x(bin.mean_probability);
    const double y = plot.y(bin.right);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
    const Ratio right{static_cast<int64_t>(bin.right * static_cast<double>(bin.arcs) + 0.5), bin.arcs};
    const auto [low, high] = wilson_interval(right);
    markers += svg_line("interval " + system_class(system), x, plot.y(low), x, plot.y(high));
    markers += svg_marker(system, x, y,
                          fmt::format("{}, {:.3f}–{:.3f}: mean probability {}, right {}", name, bin.lower,
                                      bin.upper, percentage(bin.mean_probability), detailed(right)));
  }
  plot.out += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", system_class(system), line) + markers;
  return svg_picture(kPlotLeft + kSize + 12, kPlotTop + kSize + 46, "Reliability diagram of " + name,
                     plot.out);
}

std::string coverage_chart(std::span<const CoverageSeries> series) {
  double lowest = 1.0;
  for (const CoverageSeries& system : series) {
    for (const auto curve : {system.curve, system.marked}) {
      for (const ThresholdPoint& point : curve) {
        if (point.precision.whole > 0) lowest = std::min(lowest, point.precision.value());
      }
    }
  }
  Plot plot{{0.0, 1.0, kPlotLeft, 508.0}, {axis_start(lowest), 1.0, kPlotTop + 280.0, kPlotTop}, {}};
  plot.paint_grid("coverage: arcs kept, of all scored words");
  for (const CoverageSeries& system : series) {
    std::string line;
    for (const ThresholdPoint& point : system.curve) {
      if (point.precision.whole == 0) continue;
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", plot.x(point.coverage.value()),
                          plot.y(point.precision.value()));
    }
    if (!line.empty()) {
      plot.out += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", system_class(system.system), line);
    }
    for (const ThresholdPoint& point : system.marked) {
      if (point.precision.whole == 0) continue;
      plot.out += svg_marker(system.system, plot.x(point.coverage.value()), plot.y(point.precision.value()),
                             curve_tooltip(system.name, point));
    }
  }
  return svg_picture(520.0, kPlotTop + 326.0, "Precision against coverage", plot.out);
}

std::string legend_marker(size_t system) {
  return fmt::format(
      "<svg class=\"key\" viewBox=\"0 0 28 12\" width=\"28\" height=\"12\" aria-hidden=\"true\">{}{}</svg>",
      svg_line("line " + system_class(system), 0, 6, 28, 6), svg_marker(system, 14, 6, ""));
}

}  // namespace copse
