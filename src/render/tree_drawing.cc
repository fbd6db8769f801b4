#include "render/tree_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "render/line_widths.h"
#include "render/probability.h"
#include "render/text_width.h"
#include "render/trunk_layout.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

struct Glyphs {
  std::string_view horizontal;
  std::string_view vertical;
  std::string_view arrow;
  std::string_view ellipsis;
  // Connections of a vertical line that starts here (down), ends here (up) or passes (both): to the word at
  // the right only, and to a line that comes from the left, too.
  std::string_view down_right, up_right, both_right;
  std::string_view down_through, up_through, both_through;
};

constexpr Glyphs kUnicodeGlyphs = {"─", "│", "►", "…", "╭", "╰", "├", "┬", "┴", "┼"};
constexpr Glyphs kAsciiGlyphs = {"-", "|", ">", "..", ".", "`", "+", "+", "+", "+"};

// Builds a line from pieces of known width. Spaces are held back until something follows them, and pieces of
// one style share their escape sequences.
class LineBuilder {
 public:
  explicit LineBuilder(bool colour) : colour_(colour) {}

  void append(std::string_view text, int columns, Style style = Style::plain) {
    if (text.empty()) return;
    run_.append(static_cast<size_t>(pending_spaces_), ' ');
    if (style != run_style_) end_run();
    run_ += text;
    run_style_ = style;
    line_.columns += pending_spaces_ + columns;
    pending_spaces_ = 0;
  }
  void space(int columns) { pending_spaces_ += columns; }
  DrawnLine finish() && {
    end_run();
    return std::move(line_);
  }

 private:
  void end_run() {
    line_.text += colour_ ? styled(run_, run_style_) : run_;
    run_.clear();
  }

  bool colour_;
  int pending_spaces_ = 0;
  std::string run_;
  Style run_style_ = Style::plain;
  DrawnLine line_;
};

class TreePainter {
 public:
  TreePainter(const DrawableTree& tree, const DrawOptions& options)
      : tree_(tree),
        options_(options),
        glyphs_(options.canvas.unicode ? kUnicodeGlyphs : kAsciiGlyphs),
        layout_(lay_out_trunks(tree.heads, std::numeric_limits<int>::max())),
        widths_(share_out_columns(tree, layout_.lanes, options.show_numbers, options.canvas.columns)) {
    if (widths_.lanes < layout_.lanes) layout_ = lay_out_trunks(tree.heads, widths_.lanes);
    for (int word = 1; word <= words(); ++word) {
      const Trunk& trunk = layout_.trunks[word];
      if (trunk.is_drawn()) by_first_row_.push_back(word);
    }
    std::sort(by_first_row_.begin(), by_first_row_.end(),
              [this](int a, int b) { return layout_.trunks[a].first < layout_.trunks[b].first; });
  }

  // In order, from the first word to the last.
  DrawnLine draw_line(int word) {
    LineBuilder line(options_.canvas.colour);
    if (widths_.number > 0) {
      line.append(fmt::format("{:>{}}", word, widths_.number), widths_.number, Style::dim);
      line.space(1);
    }
    draw_arcs(word, line);
    line.space(1);
    draw_text(tree_.forms[word], widths_.form, Style::plain, line);
    if (widths_.label > 0) {
      line.space(2);
      draw_text(tree_.labels[word], widths_.label, Style::dim, line);
    }
    draw_probability(word, line);
    if (widths_.note > 0) {
      line.space(2);
      draw_text(tree_.notes[word], widths_.note, Style::plain, line);
    }
    return std::move(line).finish();
  }

  int words() const { return static_cast<int>(tree_.heads.size()) - 1; }

 private:
  bool has_probability(int word) const {
    return !tree_.probabilities.empty() && tree_.heads[word] != kNoHead &&
           !std::isnan(tree_.probabilities[word]);
  }
  Style arc_style(int word) const {
    return has_probability(word) ? confidence_style(tree_.probabilities[word], options_.doubt_below)
                                 : Style::plain;
  }
  int column_of(const Trunk& trunk) const { return widths_.lane_column(trunk.lane, layout_.lanes); }

  // Where the line that leads to the word starts.
  int start_column(int word) const {
    const int head = tree_.heads[word];
    if (head == 0) return 0;
    if (head == kNoHead) {
      const Trunk& own = layout_.trunks[word];
      return own.is_drawn() ? column_of(own) : widths_.arrow_column(layout_.lanes) + 1;
    }
    const Trunk& trunk = layout_.trunks[head];
    return trunk.is_drawn() ? column_of(trunk) : widths_.root_stub() - 1;
  }

  std::string_view connection(const Trunk& trunk, int word, bool from_left) const {
    if (word == trunk.first) return from_left ? glyphs_.down_through : glyphs_.down_right;
    if (word == trunk.last) return from_left ? glyphs_.up_through : glyphs_.up_right;
    return from_left ? glyphs_.both_through : glyphs_.both_right;
  }

  void draw_arcs(int word, LineBuilder& line) {
    const int head = tree_.heads[word];
    const int start = start_column(word);
    const int end = widths_.arrow_column(layout_.lanes);
    std::vector<std::string_view> cells(static_cast<size_t>(end) + 1, " ");
    std::fill(cells.begin() + start, cells.end(), glyphs_.horizontal);
    if (head != kNoHead) cells[end] = glyphs_.arrow;
    find_trunks_beside(word);
    for (const int owner : beside_) {
      const Trunk& trunk = layout_.trunks[owner];
      const int column = column_of(trunk);
      const bool is_connected = owner == word || owner == head;
      cells[column] = is_connected ? connection(trunk, word, start < column) : glyphs_.vertical;
    }
    const bool is_reference = head > 0 && !layout_.trunks[head].is_drawn();
    int column = 0;
    if (is_reference) {
      line.append(fmt::format("{:>{}}", head, widths_.number), widths_.number, Style::dim);
      column = widths_.number;
    }
    for (; column <= end; ++column) {
      if (cells[column] == " ") {
        line.space(1);
      } else {
        line.append(cells[column], 1, column >= start ? arc_style(word) : Style::plain);
      }
    }
  }

  // Keeps beside_, the owners of the trunks that run by a word's row, from row to row.
  void find_trunks_beside(int word) {
    std::erase_if(beside_, [&](int owner) { return layout_.trunks[owner].last < word; });
    while (next_trunk_ < by_first_row_.size() && layout_.trunks[by_first_row_[next_trunk_]].first == word) {
      beside_.push_back(by_first_row_[next_trunk_++]);
    }
  }

  void draw_text(std::string_view text, int columns, Style style, LineBuilder& line) const {
    const std::string shown = cut_to_width(printable(text), columns, glyphs_.ellipsis);
    const int shown_columns = display_width(shown);
    line.append(shown, shown_columns, style);
    line.space(columns - shown_columns);
  }

  void draw_probability(int word, LineBuilder& line) const {
    const auto skip = [&](int columns, int gap) { line.space(columns == 0 ? 0 : columns + gap); };
    if (!has_probability(word)) {
      skip(widths_.percent, 2);
      skip(widths_.bar, 1);
      skip(widths_.doubt_mark, 1);
      return;
    }
    const double probability = tree_.probabilities[word];
    const Style style = arc_style(word);
    if (widths_.percent > 0) {
      line.space(2);
      line.append(fmt::format("{:>{}}", percent(probability), widths_.percent), widths_.percent, style);
    }
    if (widths_.bar > 0) {
      line.space(1);
      line.append(bar(probability, widths_.bar, options_.canvas.unicode), widths_.bar, style);
    }
    if (probability < options_.doubt_below) {
      line.space(1);
      line.append("?", widths_.doubt_mark, style);
    } else {
      skip(widths_.doubt_mark, 1);
    }
  }

  const DrawableTree& tree_;
  const DrawOptions& options_;
  const Glyphs& glyphs_;
  TrunkLayout layout_;
  LineWidths widths_;
  std::vector<int> by_first_row_;  // owners of trunks
  size_t next_trunk_ = 0;          // in by_first_row_
  std::vector<int> beside_;
};

void check_sizes(const DrawableTree& tree) {
  const size_t size = tree.heads.size();
  const auto fits = [size](const auto& values) { return values.empty() || values.size() == size; };
  if (tree.forms.size() != size || !fits(tree.labels) || !fits(tree.probabilities) || !fits(tree.notes)) {
    throw std::invalid_argument("the parts of a tree to draw differ in size");
  }
  const auto words = static_cast<int>(size) - 1;
  for (int word = 1; word <= words; ++word) {
    if (tree.heads[word] < kNoHead || tree.heads[word] > words) {
      throw std::invalid_argument(
          fmt::format("the head of word {} is {}, outside 0..{}", word, tree.heads[word], words));
    }
  }
}

}  // namespace

std::vector<DrawnLine> draw_tree_lines(const DrawableTree& tree, const DrawOptions& options) {
  check_sizes(tree);
  std::vector<DrawnLine> lines;
  if (tree.heads.empty()) return lines;
  TreePainter painter(tree, options);
  for (int word = 1; word <= painter.words(); ++word) lines.push_back(painter.draw_line(word));
  return lines;
}

std::string draw_tree(const DrawableTree& tree, const DrawOptions& options) {
  std::string out;
  for (const DrawnLine& line : draw_tree_lines(tree, options)) out.append(line.text).push_back('\n');
  return out;
}

DrawableTree drawable(const Sentence& sentence) {
  DrawableTree tree;
  tree.heads = sentence.heads();
  tree.forms.resize(tree.heads.size());
  tree.labels.resize(tree.heads.size());
  tree.probabilities.resize(tree.heads.size(), std::numeric_limits<double>::quiet_NaN());
  bool has_labels = false;
  bool has_probabilities = false;
  for (int word = 1; word <= sentence.size(); ++word) {
    tree.forms[word] = sentence[word].form();
    if (const auto probability = head_probability(sentence[word])) {
      tree.probabilities[word] = *probability;
      has_probabilities = true;
    }
    if (sentence[word].deprel() == "_") continue;
    tree.labels[word] = sentence[word].deprel();
    has_labels = true;
  }
  if (!has_labels) tree.labels.clear();
  if (!has_probabilities) tree.probabilities.clear();
  return tree;
}

}  // namespace copse
