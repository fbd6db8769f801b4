#include "analysis/chart_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

constexpr size_t kSystemStyles = 8;  // the page's style sheet has as many

}  // namespace

double axis_start(double lowest_value) {
  // Low ones at multiples of 0.2, where the gridlines are.
  const double unit = lowest_value < 0.4 ? 0.2 : 0.1;
  return std::clamp(std::floor(lowest_value / unit - 1e-9) * unit, 0.0, 0.9);
}

double axis_step(double length) {
  if (length > 0.55) return 0.2;
  return length > 0.25 ? 0.1 : length > 0.15 ? 0.05 : 0.02;
}

std::pair<double, double> wilson_interval(const Ratio& ratio) {
  constexpr double kQuantile = 1.959964;
  const auto whole = static_cast<double>(ratio.whole);
  const double share = ratio.value();
  const double spread = kQuantile * kQuantile / whole;
  const double centre = (share + spread / 2) / (1 + spread);
  const double reach =
      kQuantile / (1 + spread) * std::sqrt(share * (1 - share) / whole + spread / (4 * whole));
  return {std::max(0.0, centre - reach), std::min(1.0, centre + reach)};
}

std::string percentage(double share) {
  return std::isnan(share) ? "–" : fmt::format("{:.2f}%", 100.0 * share);
}
std::string percentage(const Ratio& ratio) { return percentage(ratio.value()); }

std::string detailed(const Ratio& ratio) {
  return fmt::format("{} ({} of {})", percentage(ratio), grouped(ratio.part), grouped(ratio.whole));
}

std::string system_class(size_t system) { return fmt::format("s{}", system % kSystemStyles); }

std::string svg_line(std::string_view style, double x1, double y1, double x2, double y2) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", style, x1, y1, x2, y2);
}

std::string svg_text(std::string_view style, double x, double y, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y,
                     xml_escaped(text));
}

std::string svg_bar(std::string_view style, double x, double y, double width, double height,
                    std::string_view tooltip) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\"><title>{}</title></rect>\n",
      style, x, y, width, height, xml_escaped(tooltip));
}

std::string svg_marker(size_t system, double x, double y, std::string_view tooltip) {
  // A circle, a square, a triangle, a diamond, and the same hollow: the style sheet empties the latter.
  constexpr std::array<std::string_view, 4> kShapes = {"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
                                                       "m-3.6 -3.6h7.2v7.2h-7.2z", "m0 -4.6l4.4 7.8h-8.8z",
                                                       "m0 -5l5 5l-5 5l-5 -5z"};
  const std::string title = tooltip.empty() ? "" : fmt::format("<title>{}</title>", xml_escaped(tooltip));
  return fmt::format("<path class=\"marker {}\" d=\"M{:.1f} {:.1f}{}\">{}</path>\n", system_class(system), x,
                     y, kShapes[system % kShapes.size()], title);
}

std::string svg_picture(double width, double height, std::string_view description, std::string_view markup) {
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n{}</svg>\n",
      width, height, width, xml_escaped(description), markup);
}

}  // namespace copse
