#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "analysis/page_sections.h"
#include "analysis/page_table.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

std::string_view meaning(Measure measure) {
  switch (measure) {
    case Measure::uas:
      return "right heads";
    case Measure::las:
      return "right heads and labels";
    case Measure::ra:
      return "right roots";
    case Measure::cm:
      return "sentences without a wrong head";
    case Measure::lcm:
      return "sentences without a wrong head or label";
    case Measure::coverage:
      return "words with a head";
    case Measure::precision:
      return "right heads of those";
  }
  return "";
}

std::string title(Measure measure) {
  std::string name(kMeasureNames[static_cast<size_t>(measure)]);
  if (measure >= Measure::coverage) return name;
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

// Coverage and precision only say something if some word has no head.
bool is_shown(const Analysis& analysis, Measure measure) {
  const auto& systems = analysis.systems;
  if (measure >= Measure::coverage) {
    return std::any_of(systems.begin(), systems.end(), [](const SystemAnalysis& system) {
      return system.scores.total.attached < system.scores.total.scored_words;
    });
  }
  return std::any_of(systems.begin(), systems.end(),
                     [measure](const SystemAnalysis& system) { return system.scores.has(measure); });
}

double value_of(const SystemAnalysis& system, Measure measure) {
  return system.scores.has(measure) ? system.scores[measure].value() : std::nan("");
}

std::string score_cell(const Analysis& analysis, size_t system, Measure measure) {
  const double value = value_of(analysis.systems[system], measure);
  if (std::isnan(value)) return "–";
  double best = value;
  for (const SystemAnalysis& other : analysis.systems) best = std::fmax(best, value_of(other, measure));
  std::string cell = fmt::format("{:.2f}", 100.0 * value);
  if (value == best && analysis.systems.size() > 1) cell = fmt::format("<strong>{}</strong>", cell);
  const double first = value_of(analysis.systems.front(), measure);
  const Significance& significance = analysis.systems[system].significance;
  if (system > 0 && !std::isnan(first)) {
    cell += fmt::format("<span class=\"change\">{:+.2f}</span>", 100.0 * (value - first));
  }
  const std::optional<PairedTest>& test = measure == Measure::uas   ? significance.uas_test
                                          : measure == Measure::las ? significance.las_test
                                                                    : std::nullopt;
  std::string below;
  if (significance.intervals) {
    const Interval& interval = (*significance.intervals)[measure];
    below = fmt::format("[{:.2f}, {:.2f}]", 100.0 * interval.lower, 100.0 * interval.upper);
  }
  if (test) below += fmt::format("{}p = {:.4f}", below.empty() ? "" : " ", test->p);
  if (!below.empty()) cell += fmt::format("<div class=\"range\">{}</div>", below);
  return cell;
}

// What the small numbers of the table are.
std::string significance_note(const Analysis& analysis) {
  const SignificanceOptions& options = analysis.options.significance;
  std::string note;
  if (options.bootstrap > 0) {
    note += fmt::format(" Brackets: 95% intervals, bootstrap over sentences, {} rounds.",
                        grouped(options.bootstrap));
  }
  if (analysis.systems.size() == 1) return note;
  note += " Small numbers beside scores are differences from the first system";
  if (options.trials > 0) {
    note += fmt::format("; p: two-sided paired randomisation test over sentences against it, {} trials",
                        grouped(options.trials));
  }
  return note + ".";
}

std::string named_system(const Analysis& analysis, size_t system) {
  return legend_marker(system) + " " + xml_escaped(analysis.systems[system].name);
}

std::string score_table(const Analysis& analysis) {
  PageTable table;
  table.columns = {"percent"};
  for (size_t k = 0; k < analysis.systems.size(); ++k) table.rows.push_back({named_system(analysis, k)});
  std::string notes;
  for (const Measure measure : kMeasures) {
    if (!is_shown(analysis, measure)) continue;
    table.columns.push_back(title(measure));
    for (size_t k = 0; k < analysis.systems.size(); ++k)
      table.rows[k].push_back(score_cell(analysis, k, measure));
    notes += fmt::format("{}{}: {}", notes.empty() ? "" : "; ", title(measure), meaning(measure));
  }
  std::string out = "<div class=\"card scores\">\n" + page_table(table, "Scores") +
                    fmt::format("<p class=\"muted\">{}.", notes);
  return out + significance_note(analysis) + "</p>\n</div>\n";
}

std::string agreement_table(const Analysis& analysis) {
  const Agreement& agreement = analysis.agreement;
  PageTable table;
  table.columns = {"right in … but wrong in …"};
  for (const SystemAnalysis& system : analysis.systems) table.columns.push_back(system.name);
  for (size_t a = 0; a < analysis.systems.size(); ++a) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(named_system(analysis, a));
    for (size_t b = 0; b < analysis.systems.size(); ++b) {
      row.push_back(a == b ? "" : grouped(agreement.only_right[a][b]));
    }
  }
  const Ratio all_right{agreement.all_right, agreement.words};
  const Ratio all_wrong{agreement.all_wrong, agreement.words};
  return fmt::format(
      "<div class=\"card\">\n<h3>Agreement</h3>\n{}<p class=\"muted\">All systems are right on {}, all are "
      "wrong on {}. "
      "Who could always choose the right one among the systems would reach {}.</p>\n</div>\n",
      page_table(table, "Words that one system has right and another has not"), detailed(all_right),
      detailed(all_wrong), percentage(Ratio{agreement.words - agreement.all_wrong, agreement.words}));
}

}  // namespace

std::string legend(const Analysis& analysis) {
  std::string out = "<ul class=\"legend\" aria-label=\"Systems\">\n";
  for (size_t k = 0; k < analysis.systems.size(); ++k) {
    const SystemAnalysis& system = analysis.systems[k];
    out += fmt::format("<li>{} <span><strong>{}</strong>{}</span></li>\n", legend_marker(k),
                       xml_escaped(system.name),
                       system.file == system.name
                           ? ""
                           : fmt::format(" <span class=\"muted\">{}</span>", xml_escaped(system.file)));
  }
  return out + "</ul>\n";
}

std::string scores_section(const Analysis& analysis) {
  std::string out = "<div class=\"flow\">\n" + score_table(analysis);
  if (analysis.systems.size() > 1) out += agreement_table(analysis);
  return out + "</div>\n";
}

}  // namespace copse
