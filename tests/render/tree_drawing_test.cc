// Exact drawings of small trees.
#include "render/tree_drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace copse {
namespace {

DrawableTree telescope() {
  DrawableTree tree;
  tree.forms = {"", "She", "saw", "the", "man", "with", "a", "telescope"};
  tree.heads = {0, 2, 0, 4, 2, 2, 7, 5};
  return tree;
}

DrawOptions ascii() {
  DrawOptions options;
  options.canvas.unicode = false;
  return options;
}

DrawOptions in_columns(int columns) {
  DrawOptions options;
  options.canvas.columns = columns;
  return options;
}

TEST(TreeDrawing, Unicode) {
  EXPECT_EQ(draw_tree(telescope()),
            "  ╭─────► She\n"
            "──┼─────► saw\n"
            "  │   ╭─► the\n"
            "  ├───┴─► man\n"
            "  ╰─┬───► with\n"
            "    │ ╭─► a\n"
            "    ╰─┴─► telescope\n");
}

TEST(TreeDrawing, Ascii) {
  EXPECT_EQ(draw_tree(telescope(), ascii()),
            "  .-----> She\n"
            "--+-----> saw\n"
            "  |   .-> the\n"
            "  +---+-> man\n"
            "  `-+---> with\n"
            "    | .-> a\n"
            "    `-+-> telescope\n");
}

TEST(TreeDrawing, LabelsProbabilitiesNotesAndNumbers) {
  DrawableTree tree = telescope();
  tree.labels = {"", "nsubj", "root", "det", "obj", "obl", "det", "nmod"};
  tree.probabilities = {0, 1.0, 0.999, 0.97, 0.92, 0.62, 0.4, std::nan("")};
  tree.notes = {"", "", "", "", "", "or man", "", "sure?"};
  DrawOptions options = ascii();
  options.show_numbers = true;
  EXPECT_EQ(draw_tree(tree, options),
            "1   .-----> She        nsubj  100% ########\n"
            "2 --+-----> saw        root   >99% ########\n"
            "3   |   .-> the        det     97% ########\n"
            "4   +---+-> man        obj     92% #######.\n"
            "5   `-+---> with       obl     62% #####... ?  or man\n"
            "6     | .-> a          det     40% ###..... ?\n"
            "7     `-+-> telescope  nmod                    sure?\n");
}

TEST(TreeDrawing, OneWord) {
  DrawableTree tree;
  tree.forms = {"", "Go"};
  tree.heads = {0, 0};
  EXPECT_EQ(draw_tree(tree), "──► Go\n");
  tree.probabilities = {0, 1};
  EXPECT_EQ(draw_tree(tree), "──► Go  100% ████████\n");
  tree.heads = {0, kNoHead};
  EXPECT_EQ(draw_tree(tree), "    Go\n");
}

TEST(TreeDrawing, NoWords) {
  DrawableTree tree;
  EXPECT_EQ(draw_tree(tree), "");
  tree.forms = {""};
  tree.heads = {0};
  EXPECT_EQ(draw_tree(tree), "");
}

TEST(TreeDrawing, PartialTree) {
  DrawableTree tree = telescope();
  tree.heads = {0, 2, kNoHead, 4, 2, kNoHead, 7, kNoHead};
  EXPECT_EQ(draw_tree(tree),
            "  ╭───► She\n"
            "  ├──── saw\n"
            "  │ ╭─► the\n"
            "  ╰─┴─► man\n"
            "        with\n"
            "    ╭─► a\n"
            "    ╰── telescope\n");
}

TEST(TreeDrawing, NonProjectiveTree) {
  DrawableTree tree;
  tree.forms = {"", "A", "hearing", "is", "scheduled", "on", "it", "today"};
  tree.heads = {0, 2, 3, 0, 3, 2, 5, 4};
  // "hearing" reaches over "is" and "scheduled" to "on": it crosses their lines.
  EXPECT_EQ(draw_tree(tree),
            "    ╭─────► A\n"
            "  ╭─┼─────► hearing\n"
            "──┼─│─────► is\n"
            "  ╰─│─┬───► scheduled\n"
            "    ╰─│─┬─► on\n"
            "      │ ╰─► it\n"
            "      ╰───► today\n");
}

TEST(TreeDrawing, SeveralRoots) {
  DrawableTree tree;
  tree.forms = {"", "one", "two", "three"};
  tree.heads = {0, 0, 3, 0};
  EXPECT_EQ(draw_tree(tree),
            "────► one\n"
            "  ╭─► two\n"
            "──┴─► three\n");
}

TEST(TreeDrawing, WideAndCombiningCharactersStayAligned) {
  DrawableTree tree;
  tree.forms = {"", "我", "看見", "Ba\u0308r"};
  tree.heads = {0, 2, 0, 2};
  tree.labels = {"", "nsubj", "root", "obj"};
  EXPECT_EQ(draw_tree(tree),
            "  ╭─► 我    nsubj\n"
            "──┼─► 看見  root\n"
            "  ╰─► Ba\u0308r   obj\n");
}

TEST(TreeDrawing, FormsCannotCommandTheTerminal) {
  DrawableTree tree;
  tree.forms = {"", "a\x1B[2J\nb"};
  tree.heads = {0, 0};
  EXPECT_EQ(draw_tree(tree),
            "──► a\uFFFD[2J\uFFFD"
            "b\n");
}

TEST(TreeDrawing, ColourMarksDoubt) {
  DrawableTree tree;
  tree.forms = {"", "maybe", "sure"};
  tree.heads = {0, 2, 0};
  tree.probabilities = {0, 0.75, 1.0};
  DrawOptions options = ascii();
  options.canvas.colour = true;
  EXPECT_EQ(draw_tree(tree, options),
            "  \x1B[33m.-> \x1B[0mmaybe  \x1B[33m 75% ######.. ?\x1B[0m\n"
            "--+-> sure   100% ########\n");
  EXPECT_EQ(draw_tree_lines(tree, options)[0].columns, draw_tree_lines(tree, ascii())[0].columns);
  options.doubt_below = 0.7;
  EXPECT_EQ(draw_tree(tree, options).find('\x1B'), std::string::npos);
}

TEST(TreeDrawing, GivesUpTheLessImportantWhereThereIsNoRoom) {
  DrawableTree tree = telescope();
  tree.labels = {"", "nsubj", "root", "det", "obj", "obl:instrument", "det", "nmod"};
  tree.probabilities = {0, 1, 1, 1, 1, 0.5, 1, 1};
  const auto line_of_with = [&](int columns) {
    return draw_tree_lines(tree, in_columns(columns))[5 - 1].text;
  };
  EXPECT_EQ(line_of_with(52), "  ╰─┬───► with       obl:instrument   50% ████     ?");
  EXPECT_EQ(line_of_with(51), "  ╰─┬───► with       obl:instrument   50% ?");
  EXPECT_EQ(line_of_with(43), "  ╰─┬───► with       obl:instrument   50% ?");
  EXPECT_EQ(line_of_with(42), "  ╰┬─► with       obl:instrument   50% ?");
  EXPECT_EQ(line_of_with(34), "  ╰┬─► with       obl:ins…   50% ?");
  EXPECT_EQ(line_of_with(31), "  ╰┬─► with        50% ?");
  EXPECT_EQ(line_of_with(20), "  ╰┬─► with      ?");
  EXPECT_EQ(line_of_with(1), line_of_with(20));
}

TEST(TreeDrawing, RefersToHeadsByNumberWhereThereAreTooFewLanes) {
  DrawableTree tree;
  for (int word = 0; word <= 20; ++word) {
    tree.forms.push_back("word" + std::to_string(word));
    tree.heads.push_back(word == 0 ? 0 : word - 1);
  }
  const std::vector<DrawnLine> lines = draw_tree_lines(tree, in_columns(24));
  EXPECT_EQ(lines[0].text, " 1 ────┬────────► word1");
  EXPECT_EQ(lines[1].text, " 2     ╰┬───────► word2");
  EXPECT_EQ(lines[9].text, "10             ╰► word10");
  EXPECT_EQ(lines[10].text, "11 10 ─┬────────► word11");
  EXPECT_EQ(lines[11].text, "12     ╰┬───────► word12");
}

TEST(TreeDrawing, RefusesWhatIsNoTree) {
  DrawableTree tree = telescope();
  tree.heads[1] = 8;
  EXPECT_THROW(draw_tree(tree), std::invalid_argument);
  tree.heads[1] = -2;
  EXPECT_THROW(draw_tree(tree), std::invalid_argument);
  tree.heads[1] = 1;
  EXPECT_THROW(draw_tree(tree), std::invalid_argument);
  tree.heads = {0, 2, 3, 1, 0, 0, 0, 0};
  EXPECT_THROW(draw_tree(tree), std::invalid_argument);
  tree = telescope();
  tree.labels = {"too", "few"};
  EXPECT_THROW(draw_tree(tree), std::invalid_argument);
}

TEST(Drawable, TakesFormsHeadsAndLabels) {
  Sentence sentence;
  sentence.add_word("Birds").set_head(2);
  sentence.add_word("sing").set_head(0);
  EXPECT_EQ(draw_tree(drawable(sentence)), "  ╭─► Birds\n──┴─► sing\n");
  sentence[1].set_deprel("nsubj");
  EXPECT_EQ(draw_tree(drawable(sentence)), "  ╭─► Birds  nsubj\n──┴─► sing\n");
}

TEST(SideBySide, FillsTheColumnsAndGoesOnBelow) {
  const std::vector<std::vector<DrawnLine>> drawings = {
      {{"aa", 2}, {"\x1B[1mbbbb\x1B[0m", 4}}, {{"c", 1}}, {{"樹", 2}, {"d", 1}, {"e", 1}}};
  EXPECT_EQ(side_by_side(drawings, 0), "aa      c    樹\n\x1B[1mbbbb\x1B[0m         d\n             e\n");
  EXPECT_EQ(side_by_side(drawings, 9), "aa      c\n\x1B[1mbbbb\x1B[0m\n\n樹\nd\ne\n");
  EXPECT_EQ(side_by_side(drawings, 1), "aa\n\x1B[1mbbbb\x1B[0m\n\nc\n\n樹\nd\ne\n");
  EXPECT_EQ(side_by_side({}, 80), "");
}

}  // namespace
}  // namespace copse
