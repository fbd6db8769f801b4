#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "analysis/breakdown_counter.h"
#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "analysis/page_sections.h"
#include "analysis/page_table.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

constexpr size_t kMostRows = 30;           // of a chart of tags or labels
constexpr size_t kMostConfused = 14;       // labels of a matrix
constexpr size_t kMostConfusedPairs = 12;  // in a list

using MeasureOf = std::function<Ratio(const ArcCounts&)>;

// Only systems whose labels count, for measures that are about labels.
std::vector<Series> series_of(const Analysis& analysis, const Breakdown& breakdown, const MeasureOf& measure,
                              size_t bins, bool needs_labels) {
  std::vector<Series> all;
  for (size_t k = 0; k < analysis.systems.size(); ++k) {
    if (needs_labels && !analysis.systems[k].scores.labelled) continue;
    Series series{analysis.systems[k].name, k, {}};
    for (size_t bin = 0; bin < bins; ++bin) series.values.push_back(measure(breakdown.systems[k][bin]));
    all.push_back(std::move(series));
  }
  return all;
}

BinnedChart binned_chart(const Analysis& analysis, const Breakdown& breakdown, std::string title,
                         std::string_view axis, const MeasureOf& measure, bool needs_labels = false) {
  BinnedChart chart;
  chart.title = std::move(title);
  chart.axis = axis;
  chart.counted = "gold arcs";
  const size_t bins = has_number_bins(breakdown.property) ? breakdown.bins.size()
                                                          : std::min(breakdown.bins.size(), kMostRows);
  for (size_t bin = 0; bin < bins; ++bin) {
    chart.bins.push_back(breakdown.bins[bin]);
    chart.counts.push_back(breakdown.systems.front()[bin].gold);
  }
  chart.series = series_of(analysis, breakdown, measure, bins, needs_labels);
  if (has_number_bins(breakdown.property)) {
    const NumberBins& numbers = number_bins(breakdown.property);
    chart.is_last_apart = !chart.bins.empty() && chart.bins.back() == numbers.name(numbers.count() - 1);
  }
  return chart;
}

// Charts under a heading, and what they are about. They stay together on paper.
std::string chart_group(std::string_view title, std::string_view definition, std::string_view cards) {
  return fmt::format(
      "<div class=\"group\">\n<h3 class=\"property\">{}</h3>\n<p class=\"muted\">{}</p>\n<div "
      "class=\"grid\">\n{}</div>\n</div>\n",
      title, definition, cards);
}

std::string sentence_length_charts(const Analysis& analysis) {
  const Breakdown& breakdown = *analysis.breakdown(Property::sentence_length);
  BinnedChart accuracy =
      binned_chart(analysis, breakdown, "UAS", "words in the sentence", &ArcCounts::recall);
  BinnedChart complete = accuracy;
  complete.title = "Complete matches";
  complete.counted = "sentences";
  for (size_t bin = 0; bin < complete.bins.size(); ++bin) {
    complete.counts[bin] = breakdown.complete.front()[bin].whole;
    for (Series& series : complete.series) series.values[bin] = breakdown.complete[series.system][bin];
  }
  share_axis(std::span(&accuracy, 1));
  share_axis(std::span(&complete, 1));
  return chart_group("Sentence length", "Words of a sentence, punctuation included.",
                     chart_card("UAS by sentence length", line_chart(accuracy)) +
                         chart_card("Complete matches by sentence length", line_chart(complete))) +
         folded_table(breakdown_table(analysis, breakdown, "words"), "arcs by sentence length");
}

struct PropertyText {
  Property property;
  std::string_view title;  // starts with a capital
  std::string_view axis;
  std::string_view definition;
};

std::string precision_and_recall(const Analysis& analysis, const PropertyText& text) {
  const Breakdown& breakdown = *analysis.breakdown(text.property);
  std::array charts = {
      binned_chart(analysis, breakdown, "Precision", text.axis, &ArcCounts::precision),
      binned_chart(analysis, breakdown, "Recall", text.axis, &ArcCounts::recall),
  };
  share_axis(charts);
  const auto draw = has_number_bins(text.property) ? &line_chart : &dot_chart;
  std::string cards;
  for (const BinnedChart& chart : charts) cards += chart_card(chart.title, draw(chart));
  return chart_group(text.title, text.definition, cards) +
         folded_table(breakdown_table(analysis, breakdown, text.axis), fmt::format("arcs by {}", text.axis));
}

// Which rows a chart leaves out.
std::string rest_note(const Breakdown& breakdown, std::string_view what) {
  if (breakdown.bins.size() <= kMostRows) return "";
  return fmt::format("<p class=\"muted\">The {} most frequent {}; the table has all {}.</p>\n", kMostRows,
                     what, breakdown.bins.size());
}

std::string confusion_card(const SystemAnalysis& system, std::span<const std::string> labels) {
  PageTable table;
  table.columns = {"gold label", "system's label", "words", "with the right head"};
  for (const LabelPair& pair : system.labels) {
    if (table.rows.size() == kMostConfusedPairs) break;
    if (pair.gold == pair.system) continue;
    table.rows.push_back(
        {xml_escaped(pair.gold), xml_escaped(pair.system), grouped(pair.words), grouped(pair.right_heads)});
  }
  return chart_card(system.name,
                    confusion_chart(system.name, system.labels, labels) +
                        (table.rows.empty() ? "" : folded_table(table, "the most frequent confusions")));
}

}  // namespace

std::string structure_section(const Analysis& analysis) {
  std::string out =
      "<p>Precision is the share of right arcs among the arcs that a system predicted with a property, "
      "recall the share of "
      "gold arcs with the property that it found. Bars in the background are numbers of gold arcs, thin "
      "lines 95% "
      "intervals. Point at a marker for its numbers.</p>\n";
  out += sentence_length_charts(analysis);
  constexpr std::array kTexts = {
      PropertyText{Property::dependency_length, "Dependency length", "dependency length",
                   "Distance between head and modifier: 1 for neighbours. Arcs from the root are apart."},
      PropertyText{Property::root_distance, "Distance to the root", "distance to the root",
                   "Number of arcs from the root to the modifier, in the tree that the arc is counted in."},
      PropertyText{Property::siblings, "Siblings", "siblings",
                   "How many other modifiers the head of the word has."},
      PropertyText{Property::modifiers, "Modifiers", "modifiers", "How many modifiers the word has itself."},
      PropertyText{Property::direction, "Direction", "direction",
                   "Where the modifier stands: left or right of its head, or under the root."},
      PropertyText{Property::projectivity, "Projectivity", "projectivity",
                   "An arc is non-projective if some word between its ends does not descend from its head."},
  };
  for (const PropertyText& text : kTexts) out += precision_and_recall(analysis, text);
  return out;
}

std::string tags_section(const Analysis& analysis) {
  const Breakdown& breakdown = *analysis.breakdown(Property::tag);
  const auto errors = [](const ArcCounts& counts) { return counts.gold - counts.found; };
  BinnedChart chart = binned_chart(analysis, breakdown, "UAS", "", &ArcCounts::recall);
  // Of all errors of a system, how many are of a tag.
  BinnedChart shares = chart;
  shares.title = "Share of the errors";
  for (Series& series : shares.series) {
    const std::vector<ArcCounts>& of_system = breakdown.systems[series.system];
    int64_t all = 0;
    for (const ArcCounts& counts : of_system) all += errors(counts);
    for (size_t bin = 0; bin < shares.bins.size(); ++bin) series.values[bin] = {errors(of_system[bin]), all};
  }
  share_axis(std::span(&chart, 1));
  share_axis(std::span(&shares, 1), AxisEnd::zero);
  return "<p>By the gold tag of the modifier (UPOS, or XPOS where there is none).</p>\n<div "
         "class=\"grid\">\n" +
         chart_card("UAS by tag", dot_chart(chart)) +
         chart_card("Share of the wrong heads", dot_chart(shares)) + "</div>\n" +
         rest_note(breakdown, "tags") +
         folded_table(breakdown_table(analysis, breakdown, "tag"), "arcs by tag");
}

std::string labels_section(const Analysis& analysis) {
  const Breakdown* breakdown = analysis.breakdown(Property::label);
  if (breakdown == nullptr) return "";
  const auto is_labelled = [](const SystemAnalysis& system) { return system.scores.labelled; };
  const bool has_labelled = std::any_of(analysis.systems.begin(), analysis.systems.end(), is_labelled);
  const bool has_unlabelled = !std::all_of(analysis.systems.begin(), analysis.systems.end(), is_labelled);
  std::vector<BinnedChart> charts;
  const auto add = [&](const std::string& title, const MeasureOf& measure, bool needs_labels) {
    charts.push_back(binned_chart(analysis, *breakdown, title, "", measure, needs_labels));
  };
  if (has_labelled) {
    add("Labelled precision", &ArcCounts::labelled_precision, true);
    add("Labelled recall", &ArcCounts::labelled_recall, true);
  }
  if (has_unlabelled) add("Right heads by gold label", &ArcCounts::recall, false);
  share_axis(charts);
  std::string out =
      has_labelled ? "<p>An arc is right here if its head and its label are. Precision is of arcs with a "
                     "label in the system's tree, recall of those in the gold tree.</p>\n"
                   : "<p>By the gold label: the systems have none.</p>\n";
  out += "<div class=\"grid\">\n";
  for (const BinnedChart& chart : charts) out += chart_card(chart.title, dot_chart(chart));
  out += "</div>\n" + rest_note(*breakdown, "labels") +
         folded_table(breakdown_table(analysis, *breakdown, "label"), "arcs by label");
  if (!has_labelled) return out;
  const std::vector<std::string> labels(
      breakdown->bins.begin(),
      breakdown->bins.begin() + static_cast<std::ptrdiff_t>(std::min(breakdown->bins.size(), kMostConfused)));
  std::string matrices;
  for (const SystemAnalysis& system : analysis.systems) {
    if (system.scores.labelled) matrices += confusion_card(system, labels);
  }
  return out +
         chart_group("Label confusion",
                     "Rows are gold labels, columns the system's; numbers are words, whether their head is "
                     "right or not. Shades are shares of a row.",
                     matrices);
}

}  // namespace copse
