#include "analysis/page_table.h"

#include <fmt/format.h>

#include "analysis/chart_parts.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {

std::string page_table(const PageTable& table, std::string_view description) {
  std::string out =
      fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table>\n<thead>\n",
                  xml_escaped(description));
  if (!table.groups.empty()) {
    out += "<tr>";
    for (const PageTable::Group& group : table.groups) {
      out +=
          fmt::format("<th class=\"group\" colspan=\"{}\">{}</th>", group.columns, xml_escaped(group.title));
    }
    out += "</tr>\n";
  }
  out += "<tr>";
  for (const std::string& title : table.columns)
    out += fmt::format("<th scope=\"col\">{}</th>", xml_escaped(title));
  out += "</tr>\n</thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", row.front());
    for (size_t k = 1; k < row.size(); ++k) out += fmt::format("<td>{}</td>", row[k]);
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string folded_table(const PageTable& table, std::string_view description) {
  return fmt::format("<details class=\"numbers\"><summary>Numbers: {}</summary>\n{}</details>\n",
                     xml_escaped(description), page_table(table, description));
}

PageTable breakdown_table(const Analysis& analysis, const Breakdown& breakdown, std::string_view bin_title) {
  PageTable table;
  table.columns = {std::string(bin_title), "gold arcs"};
  table.groups = {{"", 2}};
  table.rows.resize(breakdown.bins.size());
  for (size_t bin = 0; bin < breakdown.bins.size(); ++bin) {
    table.rows[bin] = {xml_escaped(breakdown.bins[bin]), grouped(breakdown.systems.front()[bin].gold)};
  }
  for (size_t k = 0; k < analysis.systems.size(); ++k) {
    const bool is_labelled = analysis.systems[k].scores.labelled;
    table.groups.push_back({analysis.systems[k].name, is_labelled ? size_t{5} : size_t{3}});
    table.columns.insert(table.columns.end(), {"arcs", "precision", "recall"});
    if (is_labelled) table.columns.insert(table.columns.end(), {"labelled prec.", "labelled rec."});
    for (size_t bin = 0; bin < breakdown.bins.size(); ++bin) {
      const ArcCounts& counts = breakdown.systems[k][bin];
      std::vector<std::string>& row = table.rows[bin];
      row.insert(row.end(),
                 {grouped(counts.predicted), percentage(counts.precision()), percentage(counts.recall())});
      if (is_labelled) {
        row.insert(row.end(),
                   {percentage(counts.labelled_precision()), percentage(counts.labelled_recall())});
      }
    }
  }
  return table;
}

std::string chart_card(std::string_view title, std::string_view content) {
  return fmt::format("<figure class=\"card\">\n<h3>{}</h3>\n{}</figure>\n", xml_escaped(title), content);
}

}  // namespace copse
