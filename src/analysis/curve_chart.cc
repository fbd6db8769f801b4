#include "analysis/curve_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/chart_parts.h"
#include "render/text_width.h"

namespace copse {
namespace {

constexpr double kWidth = 520.0;

// A round number, such that about `wanted` of them make up the length.
double round_step(double length, double wanted) {
  const double rough = std::max(length / wanted, 1e-300);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10.0 * power;
}

// An axis with its ticks, in the numbers that are drawn: logarithms on a logarithmic axis.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  std::vector<double> ticks;
};

Axis linear_axis(double low, double high, double wanted) {
  if (!(high > low)) {
    const double reach = low == 0.0 ? 1.0 : 0.1 * std::fabs(low);
    low -= reach;
    high += reach;
  }
  const double step = round_step(high - low, wanted);
  Axis axis{std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, {}};
  for (int k = 0; axis.low + k * step <= axis.high + 0.5 * step; ++k)
    axis.ticks.push_back(axis.low + k * step);
  return axis;
}

Axis logarithmic_axis(double low, double high) {
  Axis axis{std::floor(std::log10(low)), std::ceil(std::log10(high)), {}};
  const bool is_short = axis.high - axis.low <= 3.0;
  constexpr double kMostTicks = 8.0;
  const double step = std::ceil((axis.high - axis.low) / kMostTicks);
  for (double power = axis.low; power <= axis.high; power += step) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1.0 && (!is_short || power == axis.high)) continue;
      axis.ticks.push_back(power + std::log10(factor));
    }
  }
  return axis;
}

class CurvePainter {
 public:
  explicit CurvePainter(const CurveChart& chart) : chart_(chart) {
    double low = chart.points.front().y;
    double high = low;
    for (const CurvePoint& point : chart.points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
    constexpr double kLargeRatio = 20.0;
    is_logarithmic_ = !chart.is_share && low > 0.0 && high / low > kLargeRatio;
    const Axis y = is_logarithmic_ ? logarithmic_axis(low, high) : linear_axis(low, high, 5.0);
    y_ = {y.low, y.high, kBottom, kTop};
    y_ticks_ = y.ticks;
    const double first = chart.points.front().x;
    const double last = chart.points.back().x;
    x_ = {first, std::max(last, first + 1.0), kLeft, kRight};
    const double step = std::max(1.0, round_step(x_.high - x_.low, 8.0));
    for (double x = std::ceil(first / step) * step; x <= last + 1e-9; x += step) x_ticks_.push_back(x);
  }

  std::string paint() && {
    for (const double tick : y_ticks_) {
      out_ += svg_line("grid", kLeft, y_(tick), kRight, y_(tick));
      out_ += svg_text("tick end", kLeft - 6, y_(tick) + 3.5, tick_text(tick));
    }
    for (const double tick : x_ticks_) {
      out_ += svg_text("tick", x_(tick), kBottom + 15, fmt::format("{:.0f}", tick));
    }
    out_ += svg_line("axis", kLeft, kBottom, kRight, kBottom);
    out_ += svg_text("axis-name", (kLeft + kRight) / 2, kBottom + 36, chart_.axis);
    std::string line;
    std::string markers;
    for (std::size_t k = 0; k < chart_.points.size(); ++k) {
      const CurvePoint& point = chart_.points[k];
      line += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "M" : "L", x_(point.x), place(point.y));
      const bool is_marked = chart_.marked == k;
      if (chart_.has_markers || is_marked || chart_.points.size() == 1) {
        markers += svg_marker(is_marked ? kMarkedStyle : 0, x_(point.x), place(point.y), point.tooltip);
      } else {
        markers += svg_bar("touch", x_(point.x) - 3, kTop, 6, kBottom - kTop, point.tooltip);
      }
    }
    out_ += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", system_class(0), line) + markers;
    return svg_picture(kWidth, kBottom + 48, chart_.description, out_);
  }

 private:
  static constexpr double kLeft = 58.0;
  static constexpr double kRight = 508.0;
  static constexpr double kTop = 10.0;
  static constexpr double kBottom = 222.0;
  static constexpr std::size_t kMarkedStyle = 3;

  double place(double value) const { return y_(is_logarithmic_ ? std::log10(value) : value); }

  std::string tick_text(double tick) const {
    if (chart_.is_share) return fmt::format("{:.4g}%", 100.0 * tick);
    const double value = is_logarithmic_ ? std::pow(10.0, tick) : tick;
    if (std::fabs(value) >= 1e6 || (value != 0.0 && std::fabs(value) < 1e-3))
      return fmt::format("{:.3g}", value);
    return fmt::format("{:.6g}", std::fabs(value) < 1e-12 ? 0.0 : value);
  }

  const CurveChart& chart_;
  bool is_logarithmic_ = false;
  Scale x_;
  Scale y_;
  std::vector<double> x_ticks_;
  std::vector<double> y_ticks_;
  std::string out_;
};

}  // namespace

std::string curve_chart(const CurveChart& chart) {
  return chart.points.empty() ? "" : CurvePainter(chart).paint();
}

std::string bar_chart(const std::string& description, std::span<const NamedBar> bars) {
  constexpr double kRow = 24.0;
  constexpr double kBarsLeft = 250.0;
  constexpr double kRight = 430.0;
  constexpr int kBarNameColumns = 38;
  double most = 0.0;
  for (const NamedBar& bar : bars) most = std::max(most, bar.value);
  std::string out;
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const NamedBar& bar = bars[k];
    const double y = kRow * (static_cast<double>(k) + 0.5);
    const double length = most > 0.0 ? (kRight - kBarsLeft) * bar.value / most : 0.0;
    out +=
        svg_text("name end", kBarsLeft - 10, y + 4, cut_to_width(printable(bar.name), kBarNameColumns, "…"));
    out += svg_bar("filled " + system_class(0), kBarsLeft, y - 7, std::max(length, 1.0), 14,
                   fmt::format("{}: {}", bar.name, bar.text));
    out += svg_text("tick start", kBarsLeft + length + 6, y + 3.5, bar.text);
  }
  return svg_picture(kWidth, kRow * static_cast<double>(bars.size()), description, out);
}

}  // namespace copse
