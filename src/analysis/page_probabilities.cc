#include <fmt/format.h>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "analysis/page_sections.h"
#include "analysis/page_table.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

std::string calibration_figures(const Calibration& calibration) {
  return fmt::format(
      "<p class=\"muted\">{}: mean probability {}, right {}. Brier score {:.4f}, log loss {:.4f}, expected "
      "calibration error {:.4f}.</p>\n",
      counted(calibration.arcs, "arc"), percentage(calibration.mean_probability),
      percentage(calibration.right), calibration.brier, calibration.log_loss, calibration.error_equal_width);
}

std::string thresholds_table(const Analysis& analysis) {
  PageTable table;
  table.columns = {"P ≥"};
  table.groups = {{"", 1}};
  for (const double threshold : kThresholds) table.rows.push_back({fmt::format("{}", threshold)});
  for (const SystemAnalysis& system : analysis.systems) {
    if (!system.calibration) continue;
    table.groups.push_back({system.name, 2});
    table.columns.insert(table.columns.end(), {"coverage", "precision"});
    for (size_t k = 0; k < system.precision_curve.size(); ++k) {
      const ThresholdPoint& point = system.precision_curve[k];
      table.rows[k].push_back(percentage(point.coverage));
      table.rows[k].push_back(percentage(point.precision));
    }
  }
  return page_table(table, "Precision against coverage");
}

}  // namespace

std::string probabilities_section(const Analysis& analysis) {
  std::vector<CoverageSeries> curves;
  std::string cards;
  for (size_t k = 0; k < analysis.systems.size(); ++k) {
    const SystemAnalysis& system = analysis.systems[k];
    if (!system.calibration) continue;
    curves.push_back({system.name, k, system.coverage_curve, system.precision_curve});
    cards +=
        chart_card("Reliability: " + system.name, reliability_chart(system.name, k, *system.calibration) +
                                                      calibration_figures(*system.calibration));
  }
  if (curves.empty()) return "";
  return "<p>Systems that say how probable the head of a word is (P= in MISC) should be right as often as "
         "they say: on "
         "the dotted line. And who keeps only the arcs above some probability has fewer of them, but better "
         "ones.</p>\n"
         "<div class=\"grid narrow\">\n" +
         cards + "</div>\n<div class=\"grid\">\n" +
         chart_card("Precision against coverage", coverage_chart(curves)) +
         chart_card("What a threshold leaves", thresholds_table(analysis)) + "</div>\n";
}

}  // namespace copse
