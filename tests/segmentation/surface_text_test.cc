#include "segmentation/surface_text.h"

#include <gtest/gtest.h>

#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

// Rows of a form and MISC each.
std::string rows(const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text;
  int id = 0;
  for (const auto& [form, misc] : words) {
    text += std::to_string(++id) + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t" + misc + "\n";
  }
  return text + "\n";
}

std::string running_text(const std::string& conllu) {
  std::string text;
  TextWriter writer = TextWriter::to_text(text);
  for (const Sentence& sentence : read_text(conllu)) writer.write(sentence);
  writer.close();
  return text;
}

TEST(SurfaceText, FollowsMisc) {
  const std::string sentence =
      rows({{"Well", "SpaceAfter=No"}, {",", "X=Y"}, {"yes", "A=B|SpaceAfter=No"}, {".", "_"}});
  EXPECT_EQ(surface_text(read_text(sentence)[0]), "Well, yes.");
  EXPECT_EQ(running_text(sentence), "Well, yes.\n");
  EXPECT_EQ(running_text(rows({{"a", "SpacesAfter=\\s\\s\\n"}, {"b", "SpaceAfter=No"}})), "a  \nb");
}

TEST(SurfaceText, TheTextOfASentenceSaysMoreThanMiscUnlessItDoesNotFit) {
  const std::string words = rows({{"Well", "_"}, {",", "_"}, {"no", "_"}});
  EXPECT_EQ(surface_text(read_text("# text = Well, no\n" + words)[0]), "Well, no");
  EXPECT_EQ(surface_text(read_text("# text = Well, yes\n" + words)[0]), "Well , no");
  EXPECT_EQ(surface_text(read_text("# text = Well, no!\n" + words)[0]), "Well , no");
}

TEST(SurfaceText, MultiwordTokensAreWrittenAsTheyAre) {
  const std::string sentence =
      "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "1\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2.1\tgo\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "3\t!\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const Sentence parsed = read_text(sentence)[0];
  EXPECT_EQ(surface_text(parsed), "don't!");
  const std::vector<SurfaceToken> tokens = surface_tokens(parsed);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].last, 2);
  EXPECT_EQ(tokens[1].first, 3);
}

TEST(SurfaceText, ScriptsWithoutSpacesNeedNoneUnlessTold) {
  EXPECT_EQ(running_text(rows({{"我", "_"},
                               {"喜歡", "_"},
                               {"New", "_"},
                               {"York", "_"},
                               {"和", "_"},
                               {"2", "_"},
                               {"。", "_"}}) +
                         rows({{"好", "_"}})),
            "我喜歡New York和2。好");
  EXPECT_EQ(running_text(rows({{"我", "SpaceAfter=No"}, {"喜歡", "_"}, {"他", "_"}})), "我喜歡 他\n");
  EXPECT_EQ(running_text(rows({{"I", "_"}, {"say", "_"}, {"好", "_"}})), "I say 好\n");
}

TEST(SurfaceText, ParagraphsHaveAnEmptyLineBetweenThem) {
  const std::string a = rows({{"a", "_"}});
  const std::string b = rows({{"b", "SpaceAfter=No"}});
  const std::string c = rows({{"c", "SpacesAfter=\\n\\n\\n"}});
  EXPECT_EQ(running_text("# newdoc id = 1\n# newpar\n" + a + a + "# newpar id = x\n" + b + a + "# newdoc\n" +
                         c + "# newpar\n" + b + "# newpar\n" + a),
            "a a\n\nba\n\nc\n\n\nb\n\na\n");
  EXPECT_EQ(running_text("# newparty\n" + a + "# newparty\n" + a), "a a\n");
  EXPECT_EQ(running_text(""), "");
}

TEST(SurfaceText, EscapesAreUndone) {
  const std::string space(" \t\r\n|\\\0\xC2\xA0x", 10);
  EXPECT_EQ(escape_space(space), "\\s\\t\\r\\n\\p\\\\\\0\xC2\xA0x");
  EXPECT_EQ(unescape_space(escape_space(space)), space);
  EXPECT_EQ(unescape_space("\\"), "\\");
}

}  // namespace
}  // namespace copse::testing
