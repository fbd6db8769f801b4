#include "render/line_widths.h"

#include <algorithm>
#include <cmath>

#include "render/text_width.h"

namespace copse {
namespace {

constexpr int kFewestColumns = 20;
constexpr int kBarColumns = 8;
constexpr int kPercentColumns = 4;
constexpr int kReadableForm = 12;
constexpr int kReadableLabel = 6;
constexpr int kReadableNote = 8;
constexpr int kUsefulLanes = 6;
constexpr int kShortestForm = 4;

int widest(const std::vector<std::string>& texts) {
  int columns = 0;
  for (size_t word = 1; word < texts.size(); ++word) {
    columns = std::max(columns, display_width(printable(texts[word])));
  }
  return columns;
}

int digits_of_numbers(const DrawableTree& tree) {
  return static_cast<int>(std::to_string(tree.forms.size() - 1).size());
}

int with_gap(int columns, int gap) { return columns == 0 ? 0 : columns + gap; }

LineWidths full_widths(const DrawableTree& tree, int lanes_needed, bool show_numbers) {
  LineWidths widths;
  widths.number = show_numbers ? digits_of_numbers(tree) : 0;
  widths.lanes = lanes_needed;
  widths.form = widest(tree.forms);
  widths.label = widest(tree.labels);
  widths.note = widest(tree.notes);
  const bool has_probabilities = std::any_of(tree.probabilities.begin(), tree.probabilities.end(),
                                             [](double p) { return !std::isnan(p); });
  if (has_probabilities) {
    widths.percent = kPercentColumns;
    widths.bar = kBarColumns;
    widths.doubt_mark = 1;
  }
  return widths;
}

}  // namespace

int LineWidths::total() const {
  return with_gap(number, 1) + arrow_column(lanes) + 2 + form + with_gap(label, 2) + with_gap(percent, 2) +
         with_gap(bar, 1) + with_gap(doubt_mark, 1) + with_gap(note, 2);
}

LineWidths share_out_columns(const DrawableTree& tree, int lanes_needed, bool show_numbers, int columns) {
  const LineWidths full = full_widths(tree, lanes_needed, show_numbers);
  if (columns <= 0) return full;
  LineWidths widths = full;
  const int room = std::max(columns, kFewestColumns);
  const auto excess = [&] { return std::max(0, widths.total() - room); };
  const auto shrink = [&](int& width, int least) {
    width = std::max(std::min(width, least), width - excess());
  };
  const auto grow = [&](int& width, int most) { width = std::min(most, width + room - widths.total()); };
  const auto refer_by_number = [&] {
    widths.has_references = true;
    widths.number = digits_of_numbers(tree);
  };
  // First what is shrunk keeps its use; then things are given up.
  if (excess() > 0) widths.bar = 0;
  if (excess() > 0) widths.lane_pitch = 1;
  shrink(widths.form, kReadableForm);
  shrink(widths.note, kReadableNote);
  shrink(widths.label, kReadableLabel);
  if (excess() > 0 && widths.lanes > kUsefulLanes) {
    refer_by_number();
    shrink(widths.lanes, kUsefulLanes);
  }
  if (excess() > 0) widths.note = 0;
  if (excess() > 0) widths.label = 0;
  if (excess() > 0) widths.percent = 0;
  shrink(widths.form, kShortestForm);
  if (excess() > 0) {
    refer_by_number();
    shrink(widths.lanes, 0);
  }
  // What was given up last may have been wider than needed.
  grow(widths.lanes, full.lanes);
  grow(widths.form, full.form);
  return widths;
}

}  // namespace copse
