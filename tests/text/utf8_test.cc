#include "text/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace copse {
namespace {

std::string encode(uint32_t code_point) {
  const auto tail = [code_point](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  if (code_point < 0x800) return {static_cast<char>(0xC0 | (code_point >> 6)), tail(0)};
  if (code_point < 0x10000) return {static_cast<char>(0xE0 | (code_point >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code_point >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Utf8, AcceptsEveryCodePointAndNoSurrogate) {
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    ASSERT_EQ(is_valid_utf8(encode(code_point)), !is_surrogate) << "U+" << std::hex << code_point;
  }
  EXPECT_FALSE(is_valid_utf8(encode(0x110000)));
}

TEST(Utf8, AcceptsNoSequenceOfThreeBytesThatNoTextHas) {
  std::set<std::string> characters;
  for (uint32_t code_point = 0x80; code_point < 0x10000; ++code_point) {
    if (code_point < 0xD800 || code_point > 0xDFFF) characters.insert(encode(code_point));
  }
  for (int first = 0x80; first < 0x100; ++first) {
    for (int second = 0; second < 0x100; ++second) {
      const std::string two = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(is_valid_utf8(two), characters.count(two) > 0) << first << " " << second;
      if (first < 0xE0) continue;
      for (int third = 0; third < 0x100; ++third) {
        const std::string three = two + static_cast<char>(third);
        ASSERT_EQ(is_valid_utf8(three), characters.count(three) > 0)
            << first << " " << second << " " << third;
      }
    }
  }
}

TEST(Utf8, RejectsOverlongAndBrokenFourByteForms) {
  EXPECT_FALSE(is_valid_utf8("\xF0\x8F\xBF\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xF5\x80\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xF0\x9F\x98"));
  EXPECT_FALSE(is_valid_utf8("\xF0\x9F\x98x"));
}

TEST(Utf8, FindsThePlaceWhereverItLies) {
  for (size_t place = 0; place < 70; ++place) {
    std::string text(70, 'a');
    text[place] = '\xFF';
    EXPECT_EQ(valid_utf8_prefix(text), place);
  }
  EXPECT_EQ(valid_utf8_prefix(std::string(33, 'a') + "é"), 35U);
  EXPECT_EQ(valid_utf8_prefix(""), 0U);
}

TEST(Utf8, TakesAndAppendsEveryCharacter) {
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    const std::string text = encode(code_point) + "é";
    std::string_view rest = text;
    ASSERT_EQ(take_character(rest), static_cast<char32_t>(code_point));
    ASSERT_EQ(rest, "é");
    std::string appended = "x";
    append_character(static_cast<char32_t>(code_point), appended);
    ASSERT_EQ(appended, "x" + encode(code_point));
    const Character first = first_character(text);
    ASSERT_EQ(first.code, static_cast<char32_t>(code_point));
    ASSERT_EQ(first.bytes, encode(code_point));
  }
}

// What a text ends in the middle of is taken without reading on.
TEST(Utf8, TakesNoByteBehindTheEnd) {
  for (const std::string text : {"\xC3", "\xE6\x9C", "\xF0\x9F\x8C", "\xFF", "\x80"}) {
    const std::string longer = text + "\x80\x80\x80";
    std::string_view rest = std::string_view(longer).substr(0, text.size());
    take_character(rest);
    EXPECT_TRUE(rest.empty());
  }
}

TEST(Utf8, InvalidBytesStandAlone) {
  for (const std::string text : {"\xC3", "\xC3x", "\xE6\x9C", "\xED\xA0\x80", "\xFF", "\x80"}) {
    EXPECT_EQ(first_character(text).code, Character::kInvalid);
    EXPECT_EQ(first_character(text).bytes, text.substr(0, 1));
  }
  std::string seen;
  for_each_character("a\xFFé", [&](const Character& c) { seen += std::string(c.bytes) + "|"; });
  EXPECT_EQ(seen, "a|\xFF|é|");
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(count_characters("aé木🌳"), 4U);
  EXPECT_EQ(count_characters(""), 0U);
  EXPECT_EQ(first_characters("aé木🌳", 0), "");
  EXPECT_EQ(first_characters("aé木🌳", 2), "aé");
  EXPECT_EQ(first_characters("aé木🌳", 9), "aé木🌳");
  EXPECT_EQ(last_characters("aé木🌳", 0), "");
  EXPECT_EQ(last_characters("aé木🌳", 2), "木🌳");
  EXPECT_EQ(last_characters("aé木🌳", 9), "aé木🌳");
  EXPECT_EQ(first_bytes("aé木", 2), "a");
  EXPECT_EQ(first_bytes("aé木", 3), "aé");
  EXPECT_EQ(first_bytes("aé木", 5), "aé");
  EXPECT_EQ(first_bytes("aé木", 6), "aé木");
  EXPECT_EQ(first_bytes("é", 0), "");
}

TEST(Quoted, StaysOnOneLineAndCutsBetweenCharacters) {
  EXPECT_EQ(quoted("naïve"), "'naïve'");
  EXPECT_EQ(quoted("a\tb\n\x1B[2J\xFF"), "'a\\x09b\\x0A\\x1B[2J\\xFF'");
  EXPECT_EQ(quoted("\xC2\x9B"), "'\\xC2\\x9B'");
  EXPECT_EQ(quoted("ééé", 5), "'éé...'");
  EXPECT_EQ(quoted("abc", 3), "'abc'");
}

}  // namespace
}  // namespace copse
