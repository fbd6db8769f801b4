#include <fmt/format.h>

#include <cmath>

#include "analysis/analysis_report.h"

namespace copse {
namespace {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char byte : text) out.append(byte == '"' ? 2 : 1, byte);
  return out + "\"";
}

// One line per measurement.
class CsvWriter {
 public:
  void add(std::string_view table, std::string_view system, std::string_view bin, std::string_view measure,
           const Ratio& ratio) {
    start_line(table, system, bin, measure);
    out_ += fmt::format("{},{},{}\n", ratio.part, ratio.whole, number(ratio.value()));
  }
  void add(std::string_view table, std::string_view system, std::string_view bin, std::string_view measure,
           double value) {
    start_line(table, system, bin, measure);
    out_ += fmt::format(",,{}\n", number(value));
  }
  std::string finish() && { return std::move(out_); }

 private:
  void start_line(std::string_view table, std::string_view system, std::string_view bin,
                  std::string_view measure) {
    out_ += fmt::format("{},{},{},{},", table, csv_field(system), csv_field(bin), measure);
  }
  static std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

  std::string out_ = "table,system,bin,measure,part,whole,value\n";
};

void add_scores(const SystemAnalysis& system, CsvWriter& csv) {
  for (const Measure measure : kMeasures) {
    if (!system.scores.has(measure)) continue;
    const std::string_view name = kMeasureNames[static_cast<size_t>(measure)];
    csv.add("scores", system.name, "", name, system.scores[measure]);
    if (!system.significance.intervals) continue;
    const Interval& interval = (*system.significance.intervals)[measure];
    csv.add("intervals", system.name, "", fmt::format("{}_lower", name), interval.lower);
    csv.add("intervals", system.name, "", fmt::format("{}_upper", name), interval.upper);
  }
  const auto add_test = [&](std::string_view name, const std::optional<PairedTest>& test) {
    if (!test) return;
    csv.add("against_first", system.name, "", fmt::format("{}_difference", name), test->difference);
    csv.add("against_first", system.name, "", fmt::format("{}_p", name), test->p);
  };
  add_test("uas", system.significance.uas_test);
  add_test("las", system.significance.las_test);
}

void add_breakdown(const Analysis& analysis, const Breakdown& breakdown, CsvWriter& csv) {
  const std::string_view table = kPropertyNames[static_cast<size_t>(breakdown.property)];
  for (size_t k = 0; k < analysis.systems.size(); ++k) {
    const SystemAnalysis& system = analysis.systems[k];
    for (size_t bin = 0; bin < breakdown.bins.size(); ++bin) {
      const ArcCounts& counts = breakdown.systems[k][bin];
      const std::string& name = breakdown.bins[bin];
      csv.add(table, system.name, name, "precision", counts.precision());
      csv.add(table, system.name, name, "recall", counts.recall());
      if (system.scores.labelled) {
        csv.add(table, system.name, name, "labelled_precision", counts.labelled_precision());
        csv.add(table, system.name, name, "labelled_recall", counts.labelled_recall());
      }
      if (!breakdown.complete.empty())
        csv.add(table, system.name, name, "complete", breakdown.complete[k][bin]);
    }
  }
}

void add_labels(const SystemAnalysis& system, CsvWriter& csv) {
  for (const LabelPair& pair : system.labels) {
    csv.add("label_pairs", system.name, fmt::format("{} → {}", pair.gold, pair.system), "right_heads",
            Ratio{pair.right_heads, pair.words});
  }
}

void add_calibration(const SystemAnalysis& system, CsvWriter& csv) {
  if (!system.calibration) return;
  const Calibration& found = *system.calibration;
  csv.add("calibration", system.name, "", "brier", found.brier);
  csv.add("calibration", system.name, "", "log_loss", found.log_loss);
  csv.add("calibration", system.name, "", "error_equal_width", found.error_equal_width);
  csv.add("calibration", system.name, "", "error_equal_count", found.error_equal_count);
  for (const ReliabilityBin& bin : found.equal_width) {
    const std::string name = fmt::format("{:.3f}–{:.3f}", bin.lower, bin.upper);
    csv.add("reliability", system.name, name, "arcs", static_cast<double>(bin.arcs));
    csv.add("reliability", system.name, name, "mean_probability", bin.mean_probability);
    csv.add("reliability", system.name, name, "right", bin.right);
  }
  const auto add_curve = [&](std::string_view table, std::span<const ThresholdPoint> curve) {
    for (const ThresholdPoint& point : curve) {
      const std::string name = fmt::format("{}", point.threshold);
      csv.add(table, system.name, name, "coverage", point.coverage);
      csv.add(table, system.name, name, "precision", point.precision);
    }
  };
  add_curve("thresholds", system.precision_curve);
  add_curve("coverage_curve", system.coverage_curve);
}

void add_agreement(const Analysis& analysis, CsvWriter& csv) {
  const Agreement& agreement = analysis.agreement;
  csv.add("agreement", "", "", "all_right", Ratio{agreement.all_right, agreement.words});
  csv.add("agreement", "", "", "all_wrong", Ratio{agreement.all_wrong, agreement.words});
  for (size_t a = 0; a < analysis.systems.size(); ++a) {
    for (size_t b = 0; b < analysis.systems.size(); ++b) {
      if (a == b) continue;
      csv.add("agreement", analysis.systems[a].name, analysis.systems[b].name, "only_right",
              Ratio{agreement.only_right[a][b], agreement.words});
    }
  }
}

}  // namespace

std::string analysis_csv(const Analysis& analysis) {
  CsvWriter csv;
  for (const SystemAnalysis& system : analysis.systems) add_scores(system, csv);
  for (const Breakdown& breakdown : analysis.breakdowns) add_breakdown(analysis, breakdown, csv);
  for (const SystemAnalysis& system : analysis.systems) {
    add_labels(system, csv);
    add_calibration(system, csv);
  }
  add_agreement(analysis, csv);
  return std::move(csv).finish();
}

}  // namespace copse
