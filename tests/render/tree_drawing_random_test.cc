// Drawings of random trees, most of them not projective and some partial: the arcs can be read off the lines
// again, and no line is too long.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "render/text_width.h"
#include "render/tree_drawing.h"

namespace copse {
namespace {

using Random = std::mt19937_64;

int draw(Random& random, int first, int last) {
  return std::uniform_int_distribution<int>(first, last)(random);
}

// Attaches the words in random order to words attached before. `locality` is how far away a head may be.
DrawableTree random_tree(Random& random, int words, int locality, bool partial) {
  std::vector<int> order(static_cast<size_t>(words));
  for (int k = 0; k < words; ++k) order[k] = k + 1;
  std::shuffle(order.begin(), order.end(), random);
  DrawableTree tree;
  tree.heads.assign(static_cast<size_t>(words) + 1, kNoHead);
  tree.forms.assign(tree.heads.size(), "");
  tree.probabilities.assign(tree.heads.size(), 0.0);
  for (int k = 0; k < words; ++k) {
    const int word = order[k];
    tree.forms[word] = std::string(static_cast<size_t>(draw(random, 1, 20)), 'w');
    tree.probabilities[word] = draw(random, 0, 100) / 100.0;
    if (partial && draw(random, 0, 3) == 0) continue;
    const int candidate = k == 0 ? 0 : order[draw(random, 0, k - 1)];
    tree.heads[word] = std::abs(candidate - word) <= locality ? candidate : 0;
  }
  return tree;
}

// Reads a drawing like a reader: along the lines.
class DrawingReader {
 public:
  DrawingReader(const std::string& drawing, int words) {
    std::vector<std::string> row;
    for (size_t position = 0; position < drawing.size();) {
      const auto lead = static_cast<unsigned char>(drawing[position]);
      const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3;
      if (drawing[position] == '\n') {
        rows_.push_back(std::move(row));
        row.clear();
      } else {
        row.push_back(drawing.substr(position, length));
      }
      position += length;
    }
    EXPECT_EQ(static_cast<int>(rows_.size()), words);
  }

  int head_of(int word) const {
    const auto& row = rows_[word - 1];
    auto column = static_cast<int>(std::find(row.begin(), row.end(), "►") - row.begin());
    if (column == static_cast<int>(row.size())) return kNoHead;
    while (column > 0 && !is(glyph(word, column), "╭╰├")) --column;
    return column == 0 ? 0 : owner_of_trunk(word, column);
  }

 private:
  static bool is(std::string_view glyph, std::string_view set) {
    return !glyph.empty() && set.find(glyph) != std::string_view::npos;
  }
  std::string_view glyph(int word, int column) const {
    const auto& row = rows_[word - 1];
    return column < static_cast<int>(row.size()) ? std::string_view(row[column]) : std::string_view();
  }
  // The word whose line runs through the trunk, or starts there without an arrow.
  bool owns_trunk(int word, int column) const {
    const auto& row = rows_[word - 1];
    const bool has_arrow = std::find(row.begin(), row.end(), "►") != row.end();
    return is(glyph(word, column), has_arrow ? "┬┴┼" : "╭╰├");
  }
  int owner_of_trunk(int word, int column) const {
    for (int row = word; is(glyph(row, column), "╰├│┴┼"); --row) {
      if (owns_trunk(row - 1, column)) return row - 1;
    }
    for (int row = word; is(glyph(row, column), "╭├│┬┼"); ++row) {
      if (owns_trunk(row + 1, column)) return row + 1;
    }
    ADD_FAILURE() << "the line of word " << word << " leads nowhere";
    return kNoHead;
  }

  std::vector<std::vector<std::string>> rows_;
};

TEST(RandomDrawings, ArcsCanBeReadOffTheLines) {
  Random random(1);
  DrawOptions options;
  options.canvas.columns = 0;
  for (int round = 0; round < 4000 && !::testing::Test::HasFailure(); ++round) {
    const int words = draw(random, 1, 12);
    const DrawableTree tree = random_tree(random, words, draw(random, 2, 12), round % 3 == 0);
    const std::string drawing = draw_tree(tree, options);
    const DrawingReader reader(drawing, words);
    for (int word = 1; word <= words; ++word) {
      EXPECT_EQ(reader.head_of(word), tree.heads[word]) << "word " << word << " of\n" << drawing;
    }
  }
}

TEST(RandomDrawings, LinesKeepToTheirColumns) {
  Random random(2);
  for (int round = 0; round < 1500 && !::testing::Test::HasFailure(); ++round) {
    const int words = draw(random, 1, round % 10 == 0 ? 300 : 40);
    DrawableTree tree = random_tree(random, words, draw(random, 2, words + 2), round % 3 == 0);
    if (round % 2 == 0) tree.labels = tree.forms;
    if (round % 5 == 0) tree.notes = tree.forms;
    DrawOptions options;
    options.canvas.columns = draw(random, 20, 120);
    options.canvas.unicode = round % 4 != 0;
    options.show_numbers = round % 7 == 0;
    for (const DrawnLine& line : draw_tree_lines(tree, options)) {
      EXPECT_LE(line.columns, options.canvas.columns) << line.text;
      EXPECT_EQ(line.columns, display_width(line.text)) << line.text;
    }
  }
}

}  // namespace
}  // namespace copse
