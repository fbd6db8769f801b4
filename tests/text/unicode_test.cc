#include "text/unicode.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "text/utf8.h"

namespace copse {
namespace {

TEST(LowerCase, FollowsUnicode) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"Abc XYZ-09_", "abc xyz-09_"},
      {"ÀÖØÞß÷×", "àöøþß÷×"},
      {"ĀāĂ Ź", "āāă ź"},
      {"ŸĹŽ", "ÿĺž"},
      {"ǅǄ", "ǆǆ"},
      {"ẞ", "ß"},
      {"ЖЁ", "жё"},
      {"Ꭰ", "ꭰ"},      // Cherokee: the small letters are far away
      {"Ⓐ", "ⓐ"},        // not letters by category
      {"𐐀", "𐐨"},        // beyond the basic plane
      {"北京", "北京"},  // no case
      {"İ", "i̇"},        // two characters
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(lower_case(text), expected) << text;
}

TEST(LowerCase, SigmaIsFinalAfterTheLastLetter) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"ΟΔΟΣ", "οδος"},         {"ΟΔΟΣ.", "οδος."},         {"ΣΟΣΟ", "σοσο"}, {"Σ", "σ"},     {"ΣΣ", "σς"},
      {"ΑΣ'Α", "ασ'α"},         {"ΑΣ' Α", "ας' α"},         {"Α'Σ", "α'ς"},   {" Σ", " σ"},   {"1Σ", "1σ"},
      {"Α\u0301Σ", "α\u0301ς"}, {"ΑΣ\u0301Β", "ασ\u0301β"}, {"ΑΣ1", "ας1"},   {"Σ'Α", "σ'α"}, {"aʰΣ", "aʰς"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(lower_case(text), expected) << text;
}

TEST(LowerCase, IsStable) {
  for (char32_t code = 1; code < 0x30000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    append_character(code, text);
    const std::string once = lower_case(text);
    EXPECT_EQ(lower_case(once), once) << static_cast<uint32_t>(code);
  }
}

TEST(LowerCase, GrowsAsMuchAsItMust) {
  std::string text;
  std::string expected;
  for (int k = 0; k < 1000; ++k) {
    text += "İ";  // two bytes, of which three come
    expected += "i\u0307";
  }
  EXPECT_EQ(lower_case(text), expected);
}

TEST(UnicodeCategories, OfPunctuationAndSpaces) {
  for (const char32_t code : {U'.', U'_', U'«', U'。'}) EXPECT_TRUE(is_punctuation_character(code));
  for (const char32_t code : {U'$', U'a', U' ', U'+'}) EXPECT_FALSE(is_punctuation_character(code));
  for (const char32_t code : {U' ', U'\u00A0', U'\u3000', U'\u2009'}) EXPECT_TRUE(is_space_character(code));
  for (const char32_t code : {U'\t', U'\n', U'\u200B', U'a'}) EXPECT_FALSE(is_space_character(code));
}

}  // namespace
}  // namespace copse
