#include <fmt/format.h>

#include <algorithm>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "render/number_text.h"
#include "render/text_width.h"

namespace copse {
namespace {

std::string bin_text(const BinnedChart& chart, size_t bin) {
  return chart.axis.empty() ? chart.bins[bin] : fmt::format("{} {}", chart.axis, chart.bins[bin]);
}

std::string count_text(const BinnedChart& chart, size_t bin) {
  return fmt::format("{}: {} {}", bin_text(chart, bin), grouped(chart.counts[bin]), chart.counted);
}

std::string value_text(const BinnedChart& chart, const Series& series, size_t bin) {
  return fmt::format("{}, {}: {} {}", series.name, bin_text(chart, bin), chart.title,
                     detailed(series.values[bin]));
}

// At least 1: there may be no arc at all.
int64_t highest_count(const BinnedChart& chart) {
  int64_t highest = 1;
  for (const int64_t count : chart.counts) highest = std::max(highest, count);
  return highest;
}

// Markers of one bin would hide each other: those of later systems are a little aside.
double aside(const BinnedChart& chart, size_t number, double step) {
  return (static_cast<double>(number) - static_cast<double>(chart.series.size() - 1) / 2) * step;
}

// Bins from left to right.
class LineChartPainter {
 public:
  explicit LineChartPainter(const BinnedChart& chart) : chart_(chart) {
    y_ = {chart.axis_low, chart.axis_high, kBottom, kTop};
    slot_ = (kRight - kLeft) / static_cast<double>(std::max<size_t>(chart.bins.size(), 1));
  }

  std::string paint() && {
    paint_bars();
    paint_grid();
    for (size_t k = 0; k < chart_.series.size(); ++k) paint_series(k);
    return svg_picture(kWidth, kHeight, chart_.title + " by " + chart_.axis, out_);
  }

 private:
  static constexpr double kWidth = 520.0;
  static constexpr double kHeight = 270.0;
  static constexpr double kLeft = 46.0;
  static constexpr double kRight = 512.0;
  static constexpr double kTop = 10.0;
  static constexpr double kBottom = 222.0;
  static constexpr double kMostBar = 60.0;

  double centre(size_t bin) const { return kLeft + slot_ * (static_cast<double>(bin) + 0.5); }

  void paint_bars() {
    const int64_t most = highest_count(chart_);
    for (size_t bin = 0; bin < chart_.bins.size(); ++bin) {
      const double height = kMostBar * static_cast<double>(chart_.counts[bin]) / static_cast<double>(most);
      out_ += svg_bar("bar", centre(bin) - 0.4 * slot_, kBottom - height, 0.8 * slot_, height,
                      count_text(chart_, bin));
    }
  }

  void paint_grid() {
    for (double value = y_.high; value > y_.low - 1e-9; value -= axis_step(y_.high - y_.low)) {
      out_ += svg_line("grid", kLeft, y_(value), kRight, y_(value));
      out_ += svg_text("tick end", kLeft - 6, y_(value) + 3.5, fmt::format("{:.0f}%", 100.0 * value));
    }
    for (size_t bin = 0; bin < chart_.bins.size(); ++bin) {
      out_ += svg_text("tick", centre(bin), kBottom + 15, chart_.bins[bin]);
    }
    out_ += svg_line("axis", kLeft, kBottom, kRight, kBottom);
    out_ += svg_text("axis-name", (kLeft + kRight) / 2, kBottom + 36, chart_.axis);
  }

  void paint_series(size_t number) {
    const Series& series = chart_.series[number];
    const double shift = aside(chart_, number, std::min(5.0, 0.15 * slot_));
    std::string line;
    std::string markers;
    bool is_pen_down = false;
    for (size_t bin = 0; bin < series.values.size(); ++bin) {
      const Ratio& value = series.values[bin];
      if (chart_.is_last_apart && bin + 1 == series.values.size()) is_pen_down = false;
      if (value.whole == 0) {
        is_pen_down = false;
        continue;
      }
      const double x = centre(bin) + shift;
      line += fmt::format("{}{:.1f} {:.1f}", is_pen_down ? "L" : "M", x, y_(value.value()));
      is_pen_down = true;
      const auto [low, high] = wilson_interval(value);
      markers += svg_line("interval " + system_class(series.system), x, y_(std::max(low, y_.low)), x,
                          y_(std::min(high, y_.high)));
      markers += svg_marker(series.system, x, y_(value.value()), value_text(chart_, series, bin));
    }
    if (!line.empty()) {
      out_ += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", system_class(series.system), line);
    }
    out_ += markers;
  }

  const BinnedChart& chart_;
  Scale y_;
  double slot_ = 0.0;
  std::string out_;
};

// Bins below each other.
class DotChartPainter {
 public:
  explicit DotChartPainter(const BinnedChart& chart)
      : chart_(chart), row_(std::max(22.0, 8.0 + 9.0 * static_cast<double>(chart.series.size()))) {
    x_ = {chart.axis_low, chart.axis_high, kLeft, kRight};
    bottom_ = kTop + row_ * static_cast<double>(chart.bins.size());
  }

  std::string paint() && {
    paint_grid();
    for (size_t bin = 0; bin < chart_.bins.size(); ++bin) paint_row(bin);
    return svg_picture(kWidth, bottom_ + 24, chart_.title, out_);
  }

 private:
  static constexpr double kWidth = 520.0;
  static constexpr double kLeft = 112.0;
  static constexpr double kRight = 438.0;
  static constexpr double kCounts = 448.0;
  static constexpr double kMostBar = 66.0;
  static constexpr double kTop = 6.0;
  static constexpr int kNameColumns = 15;

  void paint_grid() {
    for (double value = x_.high; value > x_.low - 1e-9; value -= axis_step(x_.high - x_.low)) {
      out_ += svg_line("grid", x_(value), kTop, x_(value), bottom_);
      out_ += svg_text("tick", x_(value), bottom_ + 15, fmt::format("{:.0f}%", 100.0 * value));
    }
  }

  void paint_row(size_t bin) {
    const double y = kTop + row_ * (static_cast<double>(bin) + 0.5);
    const int64_t most = highest_count(chart_);
    const double bar = kMostBar * static_cast<double>(chart_.counts[bin]) / static_cast<double>(most);
    out_ += svg_line("row", kLeft, y, kRight, y);
    out_ +=
        svg_text("name end", kLeft - 10, y + 4, cut_to_width(printable(chart_.bins[bin]), kNameColumns, "…"));
    out_ += svg_bar("bar", kCounts, y - 6, bar, 12, count_text(chart_, bin));
    out_ += svg_text("tick start", kCounts + 4, y + 3.5, grouped(chart_.counts[bin]));
    for (size_t k = 0; k < chart_.series.size(); ++k) {
      const Series& series = chart_.series[k];
      const Ratio& value = series.values[bin];
      if (value.whole == 0) continue;
      const double shifted = y + aside(chart_, k, 9.0);
      const auto [low, high] = wilson_interval(value);
      out_ += svg_line("interval " + system_class(series.system), x_(std::max(low, x_.low)), shifted,
                       x_(std::min(high, x_.high)), shifted);
      out_ += svg_marker(series.system, x_(value.value()), shifted, value_text(chart_, series, bin));
    }
  }

  const BinnedChart& chart_;
  Scale x_;
  double row_;
  double bottom_ = 0.0;
  std::string out_;
};

}  // namespace

void share_axis(std::span<BinnedChart> charts, AxisEnd fixed) {
  double lowest = 1.0;
  double highest = 0.0;
  for (const BinnedChart& chart : charts) {
    for (const Series& series : chart.series) {
      for (const Ratio& value : series.values) {
        if (value.whole == 0) continue;
        lowest = std::min(lowest, value.value());
        highest = std::max(highest, value.value());
      }
    }
  }
  for (BinnedChart& chart : charts) {
    chart.axis_low = fixed == AxisEnd::one ? axis_start(lowest) : 0.0;
    chart.axis_high = fixed == AxisEnd::one ? 1.0 : 1.0 - axis_start(1.0 - highest);
  }
}

std::string line_chart(const BinnedChart& chart) { return LineChartPainter(chart).paint(); }
std::string dot_chart(const BinnedChart& chart) { return DotChartPainter(chart).paint(); }

}  // namespace copse
