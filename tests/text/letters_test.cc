#include "text/letters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/utf8.h"

namespace copse {
namespace {

std::vector<std::string> letters(std::string_view text) {
  std::vector<std::string> result;
  for_each_letter(text, [&](std::string_view letter) { result.emplace_back(letter); });
  return result;
}

TEST(Letters, OfSyllablesOfHangul) {
  // 한 consists of ㅎ ㅏ ㄴ, 가 of ㄱ ㅏ.
  EXPECT_EQ(letters("한"), (std::vector<std::string>{"\u1112", "\u1161", "\u11AB"}));
  EXPECT_EQ(letters("가"), (std::vector<std::string>{"\u1100", "\u1161"}));
  EXPECT_EQ(letters("힣"), (std::vector<std::string>{"\u1112", "\u1175", "\u11C2"}));  // the last one
}

TEST(Letters, OfOtherScriptsAreTheirCharacters) {
  EXPECT_EQ(letters("aé字"), (std::vector<std::string>{"a", "é", "字"}));
  EXPECT_EQ(letters("ㄱ\uABFF\uD7A4"), (std::vector<std::string>{"ㄱ", "\uABFF", "\uD7A4"}));
  EXPECT_EQ(letters("a\xFFz"), (std::vector<std::string>{"a", "\xFF", "z"}));
  EXPECT_TRUE(letters("").empty());
}

// Each syllable has letters of its own.
TEST(Letters, CanBePutTogetherAgain) {
  for (char32_t code = 0xAC00; code <= 0xD7A3; ++code) {
    const Letters found = letters_of(code);
    ASSERT_TRUE(found.count == 2 || found.count == 3);
    const char32_t trailing = found.count == 3 ? found.codes[2] - 0x11A7 : 0;
    ASSERT_EQ(0xAC00 + ((found.codes[0] - 0x1100) * 21 + found.codes[1] - 0x1161) * 28 + trailing, code);
  }
}

}  // namespace
}  // namespace copse
