#include "analysis/training_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "analysis/curve_chart.h"
#include "analysis/page_frame.h"
#include "analysis/page_table.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

std::string rows_table(const TrainingStory::Rows& rows, const std::string& first, const std::string& second,
                       std::string_view description) {
  if (rows.empty()) return "";
  PageTable table;
  table.columns = {first, second};
  for (const auto& [key, value] : rows) table.rows.push_back({xml_escaped(key), xml_escaped(value)});
  return "<div class=\"card\">\n" + page_table(table, description) + "</div>\n";
}

std::string objective_card(const TrainingStage& stage) {
  CurveChart chart{"Objective of " + stage.name, "iteration", {}, {}, false, false};
  for (const TrainingIteration& one : stage.iterations) {
    if (!one.objective) continue;
    chart.points.push_back({static_cast<double>(one.iteration), *one.objective,
                            fmt::format("iteration {}: {:.6g}", one.iteration, *one.objective)});
  }
  if (chart.points.size() < 2) return "";
  return chart_card("Objective: " + stage.name, curve_chart(chart));
}

std::string score_card(const TrainingStage& stage) {
  const std::string name = stage.score_name.empty() ? "Score" : stage.score_name;
  CurveChart chart{name + " of " + stage.name, "iteration", {}, {}, true, true};
  for (const TrainingIteration& one : stage.iterations) {
    if (!one.score) continue;
    chart.points.push_back({static_cast<double>(one.iteration), *one.score,
                            fmt::format("iteration {}: {} {}", one.iteration, name, percentage(*one.score))});
  }
  if (chart.points.empty()) return "";
  const auto best =
      std::max_element(chart.points.begin(), chart.points.end(),
                       [](const CurvePoint& left, const CurvePoint& right) { return left.y < right.y; });
  chart.marked = static_cast<std::size_t>(best - chart.points.begin());
  return chart_card(fmt::format("{} on development data: {}", name, stage.name),
                    curve_chart(chart) + fmt::format("<p class=\"muted\">Best in iteration {:.0f}: {}.</p>\n",
                                                     best->x, percentage(best->y)));
}

std::string curves_section(const TrainingStory& story) {
  std::string parser;
  std::string others;
  for (const TrainingStage& stage : story.stages) {
    const std::string cards = objective_card(stage) + score_card(stage);
    if (cards.empty()) continue;
    (stage.is_of_parser ? parser : others) += "<div class=\"grid spaced\">\n" + cards + "</div>\n";
  }
  if (parser.empty() && others.empty()) return "";
  if (!others.empty()) {
    others = "<details class=\"numbers\"><summary>Segmenter, tagger and labeller</summary>\n" + others +
             "</details>\n";
  }
  return "<p>What was minimised, iteration by iteration, and how much of the development data came out right "
         "with the weights at that time. The model has the weights of the best iteration.</p>\n" +
         parser + others;
}

std::string calibration_section(const TrainingStory& story) {
  if (!story.calibration) return "";
  const Calibration& found = *story.calibration;
  const std::array curves = {CoverageSeries{"the model", 0, story.coverage_curve, story.precision_curve}};
  return "<p>Of the arcs that the model gives some probability, as many should be right as it says: on the "
         "dotted line. And who keeps only the arcs above some probability has fewer of them, but better "
         "ones. This is development data, which the temperature of the probabilities was fitted to.</p>\n"
         "<div class=\"grid\">\n" +
         chart_card(
             "Reliability",
             reliability_chart("the model", 0, found) +
                 fmt::format("<p class=\"muted\">{}: mean probability {}, right {}. Brier score {:.4f}, "
                             "log loss {:.4f}, expected calibration error {:.4f}.</p>\n",
                             counted(found.arcs, "arc"), percentage(found.mean_probability),
                             percentage(found.right), found.brier, found.log_loss, found.error_equal_width)) +
         chart_card("Precision against coverage", coverage_chart(curves)) + "</div>\n";
}

std::string time_section(const TrainingStory& story) {
  double all = 0.0;
  for (const TrainingStage& stage : story.stages) all += stage.seconds;
  if (story.stages.empty() || !(all > 0.0)) return "";
  std::vector<NamedBar> bars;
  PageTable table;
  table.columns = {"stage", "time", "share", "iterations"};
  for (const TrainingStage& stage : story.stages) {
    bars.push_back({stage.name, stage.seconds, duration(stage.seconds)});
    table.rows.push_back(
        {xml_escaped(stage.name), duration(stage.seconds), percentage(stage.seconds / all),
         stage.iterations.empty() ? "–" : grouped(static_cast<std::int64_t>(stage.iterations.size()))});
  }
  return "<div class=\"grid\">\n" + chart_card("Time by stage", bar_chart("Time by stage", bars)) +
         chart_card("In numbers", page_table(table, "Time by stage")) + "</div>\n";
}

}  // namespace

std::string training_page(const TrainingStory& story) {
  const std::string name = std::filesystem::path(story.model).filename().string();
  const std::array sections = {
      PageSection{"result", "Result", rows_table(story.results, "what", "how much", "Result")},
      PageSection{"curves", "Objective and scores", curves_section(story)},
      PageSection{"calibration", "Calibration", calibration_section(story)},
      PageSection{"time", "Time", time_section(story)},
      PageSection{"data", "Data", rows_table(story.data, "what", "how much", "Data")},
      PageSection{"settings", "Settings", rows_table(story.settings, "setting", "value", "Settings")},
  };
  return framed_page({"Training: " + xml_escaped(name.empty() ? story.model : name),
                      fmt::format("<p class=\"muted\">{}</p>\n", xml_escaped(story.outcome)), "", "",
                      "Made by copse train."},
                     sections);
}

}  // namespace copse
