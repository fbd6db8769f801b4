#include "evaluation/lower_case.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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
    if (code < 0x80) {
      text += static_cast<char>(code);
    } else if (code < 0x800) {
      text += {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
    } else if (code < 0x10000) {
      text += {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
               static_cast<char>(0x80 | (code & 0x3F))};
    } else {
      text += {static_cast<char>(0xF0 | (code >> 18)), static_cast<char>(0x80 | ((code >> 12) & 0x3F)),
               static_cast<char>(0x80 | ((code >> 6) & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
    }
    const std::string once = lower_case(text);
    EXPECT_EQ(lower_case(once), once) << static_cast<uint32_t>(code);
  }
}

}  // namespace
}  // namespace copse
