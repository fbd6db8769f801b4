#include "treebank/format_detection.h"

#include <gtest/gtest.h>

#include <string>

namespace copse {
namespace {

TEST(FirstContentLine, PassesOverCommentsAndBlankLines) {
  EXPECT_EQ(first_content_line("# a\n\n \t \n\r\nText here\nmore\n").text, "Text here");
  EXPECT_EQ(first_content_line("\xEF\xBB\xBFText\r\n").text, "Text");
  EXPECT_EQ(first_content_line("  indented\n").text, "  indented");
  EXPECT_TRUE(first_content_line("Text\n").is_whole);
  EXPECT_EQ(first_content_line("# a\nText").text, "Text");
  EXPECT_FALSE(first_content_line("# a\nText").is_whole);
  for (const char* bytes : {"", "\n", " ", "# a", "# a\n", "\t\n  \n"}) {
    EXPECT_EQ(first_content_line(bytes).text, "") << bytes;
    EXPECT_FALSE(first_content_line(bytes).is_whole) << bytes;
  }
}

TEST(TreebankRow, HasColumnsAndNotJustTabs) {
  for (const char* row :
       {"1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_", "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
        "1.1\te\te\tX\tY\t_\t_\t_\t3:dep\t_", "x\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_",
        "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_", "1\tThe\tthe\tDET\tDT", "The\tDT\t2", "The\tDT\t_"}) {
    EXPECT_TRUE(looks_like_treebank_row(row)) << row;
  }
  for (const char* text : {"", "Text", "The dog sees it .", "\tIndented by a tab.", "1\tIntroduction",
                           "1.\tIntroduction", "Name\tAge\tTown", "a\tb\tc\td", "a\tb\tc\td\te\tf",
                           "1-\ta\tb\tc\td", "-1\ta\tb\tc\td", "1.2.3\ta\tb\tc\td"}) {
    EXPECT_FALSE(looks_like_treebank_row(text)) << text;
  }
}

}  // namespace
}  // namespace copse
