#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "render/markup.h"
#include "render/number_text.h"
#include "render/text_width.h"

namespace copse {
namespace {

constexpr double kCell = 30.0;
constexpr double kLeft = 100.0;
constexpr double kTop = 84.0;
constexpr int kNameColumns = 13;

std::string cut(const std::string& label) { return cut_to_width(printable(label), kNameColumns, "…"); }

// Counts beyond three digits do not fit into a cell.
std::string short_count(int64_t count) {
  if (count < 1000) return std::to_string(count);
  return fmt::format("{:.0f}k", static_cast<double>(count) / 1000.0);
}

}  // namespace

std::string confusion_chart(const std::string& name, std::span<const LabelPair> pairs,
                            std::span<const std::string> labels) {
  std::map<std::string, int64_t> totals;
  for (const LabelPair& pair : pairs) totals[pair.gold] += pair.words;
  std::string out;
  const auto place = [&](const std::string& label) {
    return static_cast<size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  };
  const double size = kCell * static_cast<double>(labels.size());
  for (size_t k = 0; k < labels.size(); ++k) {
    const double centre = kCell * (static_cast<double>(k) + 0.5);
    out += svg_text("name end", kLeft - 8, kTop + centre + 4, cut(labels[k]));
    out += fmt::format("<g transform=\"translate({:.1f} {:.1f}) rotate(-50)\">{}</g>\n", kLeft + centre + 2,
                       kTop - 8, svg_text("name start", 0, 0, cut(labels[k])));
    out += svg_line("grid", kLeft, kTop + centre - kCell / 2, kLeft + size, kTop + centre - kCell / 2);
    out += svg_line("grid", kLeft + centre - kCell / 2, kTop, kLeft + centre - kCell / 2, kTop + size);
  }
  out += svg_line("grid", kLeft, kTop + size, kLeft + size, kTop + size);
  out += svg_line("grid", kLeft + size, kTop, kLeft + size, kTop + size);
  for (const LabelPair& pair : pairs) {
    const size_t row = place(pair.gold);
    const size_t column = place(pair.system);
    if (row == labels.size() || column == labels.size()) continue;
    const Ratio share{pair.words, totals[pair.gold]};
    // Errors are few: the square root keeps small shares visible.
    const double shade =
        std::min(1.0, row == column ? 0.6 * share.value() : 0.08 + 1.5 * std::sqrt(share.value()));
    const double x = kLeft + kCell * static_cast<double>(column);
    const double y = kTop + kCell * static_cast<double>(row);
    out += fmt::format(
        "<g class=\"{}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "fill-opacity=\"{:.2f}\"/>{}</g>\n",
        row == column ? "cell same" : "cell",
        xml_escaped(fmt::format("gold {}, system {}: {}; {} with the right head", pair.gold, pair.system,
                                detailed(share), grouped(pair.right_heads))),
        x + 1, y + 1, kCell - 2, kCell - 2, shade,
        svg_text(shade > 0.62 ? "count strong" : "count", x + kCell / 2, y + kCell / 2 + 3.5,
                 short_count(pair.words)));
  }
  return svg_picture(kLeft + size + 50, kTop + size + 6, "Label confusion of " + name, out);
}

}  // namespace copse
