#include "render/text_width.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("tree"), 4);
  EXPECT_EQ(display_width("Bäume"), 5);
  EXPECT_EQ(display_width("дерево"), 6);
  EXPECT_EQ(display_width("樹木"), 4);
  EXPECT_EQ(display_width("ツリー"), 6);
  EXPECT_EQ(display_width("나무"), 4);
  EXPECT_EQ(display_width("ﾂﾘｰ"), 3);  // half-width forms
  EXPECT_EQ(display_width("Ｔ"), 2);   // full-width form
  EXPECT_EQ(display_width("🌳"), 2);
  EXPECT_EQ(display_width("→─█…"), 4);  // of ambiguous width: narrow
}

TEST(DisplayWidth, CombiningCharactersTakeNoColumn) {
  EXPECT_EQ(display_width("a\u0308"), 1);
  EXPECT_EQ(display_width("e\u0301\u0323"), 1);
  EXPECT_EQ(display_width("\u0930\u0941\u0916"), 2);    // Devanagari with a vowel sign below
  EXPECT_EQ(display_width("\u0E15\u0E49\u0E19"), 2);    // Thai with a tone mark
  EXPECT_EQ(display_width("\u05E2\u05B5\u05E5"), 2);    // Hebrew with a point
  EXPECT_EQ(display_width("\u1102\u1161"), 2);          // Korean in single letters
  EXPECT_EQ(display_width("a\u200B\u200Db\uFEFF"), 2);  // zero-width space, joiner, no-break space
  EXPECT_EQ(display_width("soft\u00ADhyphen"), 11);
}

TEST(DisplayWidth, InvalidBytesTakeOneColumnEach) {
  EXPECT_EQ(display_width("a\xFF\x80z"), 4);
  EXPECT_EQ(display_width("\xE6\xA8"), 2);
}

TEST(Printable, LeavesTextAlone) { EXPECT_EQ(printable("Bäume 樹木 a\u0308 🌳"), "Bäume 樹木 a\u0308 🌳"); }

TEST(Printable, ReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1B[31m"), "\uFFFD[31m");
  EXPECT_EQ(printable("a\tb\nc\x7F"), "a\uFFFDb\uFFFDc\uFFFD");
  EXPECT_EQ(printable("\u009B2J"), "\uFFFD2J");  // the one-character form of ESC [
  EXPECT_EQ(printable("a\u2028b"), "a\uFFFDb");
  EXPECT_EQ(printable("\xFF"), "\uFFFD");
  EXPECT_EQ(printable("a\u202Eb\u202Cc\u2066d\u2069"), "abcd");
}

TEST(CutToWidth, KeepsWhatFits) {
  EXPECT_EQ(cut_to_width("tree", 4, "…"), "tree");
  EXPECT_EQ(cut_to_width("trees", 4, "…"), "tre…");
  EXPECT_EQ(cut_to_width("trees", 4, ".."), "tr..");
  EXPECT_EQ(cut_to_width("樹木樹", 5, "…"), "樹木…");
  EXPECT_EQ(cut_to_width("樹木樹", 4, "…"), "樹…");
  EXPECT_EQ(cut_to_width("ta\u0308te", 3, "…"), "ta\u0308…");
  EXPECT_EQ(cut_to_width("tree", 1, "…"), "…");
  EXPECT_EQ(cut_to_width("tree", 1, ".."), "");
  EXPECT_EQ(cut_to_width("tree", 0, "…"), "");
}

}  // namespace
}  // namespace copse
