#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "eval_report.h"
#include "number_text.h"
#include "render/text_width.h"

namespace copse {
namespace {

constexpr int kTitleColumns = 12;
constexpr int kCellColumns = 25;

std::string percentage(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.2f}", 100.0 * share);
}

std::string title(Measure measure) {
  std::string name(kMeasureNames[static_cast<size_t>(measure)]);
  const bool is_abbreviation = measure < Measure::coverage;
  if (!is_abbreviation) return name;
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

// One row per measure, one column per system.
template <typename Cell>
std::string table_row(const EvaluationReport& report, std::string_view row_title, const Cell& cell) {
  std::string row = fmt::format("{:<{}}", row_title, kTitleColumns);
  for (const EvaluatedSystem& system : report.systems)
    row += fmt::format("{:<{}}", cell(system), kCellColumns);
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string score_cell(const EvaluatedSystem& system, Measure measure) {
  if (!system.scores.has(measure)) return "     -";
  std::string cell = fmt::format("{:>6}", percentage(system.scores[measure].value()));
  if (!system.significance.intervals) return cell;
  const Interval& interval = (*system.significance.intervals)[measure];
  return cell + fmt::format(" [{}, {}]", percentage(interval.lower), percentage(interval.upper));
}

std::string test_cell(const std::optional<PairedTest>& test) {
  return test ? fmt::format("{:>+6.2f} (p = {:.4f})", 100.0 * test->difference, test->p) : "     -";
}

std::string header(const EvaluationReport& report) {
  const Counts& counts = report.systems.front().scores.total;
  std::string text = fmt::format("gold  {}\n", printable(report.gold_file));
  for (size_t k = 0; k < report.systems.size(); ++k) {
    text += fmt::format("{:<6}{}\n", fmt::format("[{}]", k + 1), printable(report.systems[k].file));
  }
  text += fmt::format("\nscored: {} of {} words, {} of {} sentences (punctuation: {}, label subtypes: {})\n",
                      grouped(counts.scored_words), grouped(counts.words), grouped(counts.scored_sentences),
                      grouped(counts.sentences), report.punctuation, report.subtypes);
  if (counts.words_without_gold_head > 0) {
    text += fmt::format("words without a gold head: {}\n", grouped(counts.words_without_gold_head));
  }
  return text;
}

bool is_partial(const EvaluatedSystem& system) {
  return system.scores.total.attached < system.scores.total.scored_words;
}

std::string score_table(const EvaluationReport& report) {
  const bool show_coverage = std::any_of(report.systems.begin(), report.systems.end(), is_partial);
  int number = 0;
  std::string text = table_row(report, "%", [&](const EvaluatedSystem&) {
    return fmt::format("{:>6}", fmt::format("[{}]", ++number));
  });
  for (const Measure measure : kMeasures) {
    const bool is_about_coverage = measure == Measure::coverage || measure == Measure::precision;
    if (is_about_coverage && !show_coverage) continue;
    text += table_row(report, title(measure),
                      [measure](const EvaluatedSystem& system) { return score_cell(system, measure); });
  }
  if (report.systems.size() > 1 && report.significance.trials > 0) {
    text += table_row(report, "UAS - [1]",
                      [](const EvaluatedSystem& system) { return test_cell(system.significance.uas_test); });
    text += table_row(report, "LAS - [1]",
                      [](const EvaluatedSystem& system) { return test_cell(system.significance.las_test); });
  }
  return text;
}

std::string notes(const EvaluationReport& report) {
  std::string text;
  if (report.significance.bootstrap > 0) {
    text +=
        fmt::format("[low, high]: 95%, bootstrap over sentences, {} rounds\n", report.significance.bootstrap);
  }
  if (report.systems.size() > 1 && report.significance.trials > 0) {
    text += fmt::format("p: two-sided paired randomisation test over sentences, {} trials\n",
                        report.significance.trials);
  }
  return text.empty() ? text : "\n" + text;
}

std::string calibration_text(const EvaluatedSystem& system, size_t number) {
  const Calibration& found = *system.calibration;
  std::string text = fmt::format("\ncalibration of [{}]: {} arcs\n\n", number, found.arcs);
  const auto line = [&text](std::string_view what, double value) {
    text += fmt::format("  {:<26}{:>8.4f}\n", what, value);
  };
  line("mean probability", found.mean_probability);
  line("share of right arcs", found.right);
  line("error, bins of equal width", found.error_equal_width);
  line("  by chance alone", found.chance_equal_width);
  line("error, bins of equal count", found.error_equal_count);
  line("  by chance alone", found.chance_equal_count);
  line("Brier score", found.brier);
  line("log loss", found.log_loss);
  text += "\n  probability       arcs    mean   right\n";
  for (const ReliabilityBin& bin : found.equal_width) {
    text += fmt::format("  {:.3f}-{:.3f}{:>10}{:>8.4f}{:>8.4f}\n", bin.lower, bin.upper, bin.arcs,
                        bin.mean_probability, bin.right);
  }
  text += "\n  keep if at least  coverage  precision\n";
  for (const ThresholdPoint& point : system.precision_curve) {
    text += fmt::format("  {:>16.3f}{:>9}%{:>10}%\n", point.threshold, percentage(point.coverage.value()),
                        percentage(point.precision.value()));
  }
  return text;
}

}  // namespace

std::string text_report(const EvaluationReport& report) {
  std::string text = header(report) + "\n" + score_table(report) + notes(report);
  for (size_t k = 0; k < report.systems.size(); ++k) {
    if (report.systems[k].calibration) text += calibration_text(report.systems[k], k + 1);
  }
  return text;
}

}  // namespace copse
