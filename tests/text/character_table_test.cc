#include "text/character_table.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include <array>
#include <map>
#include <set>

namespace copse {
namespace {

constexpr char32_t kEnd = 0x110000;

bool is_surrogate(char32_t character) { return character >= 0xD800 && character < 0xE000; }

// A number that changes with any trait of any character: features of stored models hold what it stands for.
TEST(CharacterTable, NeverChanges) {
  std::uint64_t sum = 0xCBF29CE484222325;
  const auto add = [&sum](std::uint64_t value) { sum = (sum ^ value) * 0x100000001B3; };
  for (char32_t character = 0; character < kEnd; ++character) {
    const CharacterTraits traits = CharacterTable::get()[character];
    add(traits.folded);
    add(static_cast<std::uint64_t>(traits.kind));
    add(traits.script);
    add(traits.breaks_line ? 1 : 0);
    add(frozen_lower(character));
    add(frozen_upper(character));
  }
  EXPECT_EQ(sum, 14676273728200580588U);
}

TEST(CharacterTable, KnowsCharacters) {
  const CharacterTable& table = CharacterTable::get();
  const std::map<char32_t, CharacterClass> kinds = {{U'\0', CharacterClass::space},
                                                    {U' ', CharacterClass::space},
                                                    {U'\u3000', CharacterClass::space},
                                                    {U'a', CharacterClass::lower},
                                                    {U'É', CharacterClass::upper},
                                                    {U'木', CharacterClass::letter},
                                                    {U'\u0301', CharacterClass::mark},
                                                    {U'7', CharacterClass::digit},
                                                    {U'½', CharacterClass::number},
                                                    {U'-', CharacterClass::dash},
                                                    {U'_', CharacterClass::dash},
                                                    {U'(', CharacterClass::open},
                                                    {U'»', CharacterClass::close},
                                                    {U'.', CharacterClass::terminal},
                                                    {U'。', CharacterClass::terminal},
                                                    {U',', CharacterClass::punctuation},
                                                    {U'€', CharacterClass::symbol},
                                                    {U'\u0007', CharacterClass::other},
                                                    {U'𐐀', CharacterClass::upper},
                                                    {U'𠀀', CharacterClass::letter},
                                                    {char32_t{0xE000}, CharacterClass::other}};
  for (const auto& [character, kind] : kinds) {
    EXPECT_EQ(table[character].kind, kind) << static_cast<std::uint32_t>(character);
  }
  EXPECT_EQ(table[U'É'].folded, U'é');
  EXPECT_EQ(table[U'Ａ'].folded, U'a');
  EXPECT_EQ(table[U'”'].folded, U'"');
  EXPECT_EQ(table[U'’'].folded, U'\'');
  EXPECT_EQ(table[U'\u00A0'].folded, U' ');
  EXPECT_EQ(table[U'ß'].folded, U'ß');  // two characters otherwise
  EXPECT_TRUE(table[U'\n'].breaks_line);
  EXPECT_TRUE(is_written_without_spaces(table[U'木'].script));
  EXPECT_FALSE(is_written_without_spaces(table[U'나'].script));
  EXPECT_EQ(frozen_upper(U'ÿ'), U'Ÿ');
  EXPECT_EQ(frozen_lower(U'Ÿ'), U'ÿ');
  EXPECT_EQ(frozen_lower(U'1'), U'1');
}

// The classes, from the definitions.
CharacterClass icu_class(UChar32 code) {
  if (code == 0 || u_isUWhiteSpace(code) != 0) return CharacterClass::space;
  if (u_hasBinaryProperty(code, UCHAR_S_TERM) != 0) return CharacterClass::terminal;
  const std::uint32_t category = U_GET_GC_MASK(code);
  const std::array<std::pair<std::uint32_t, CharacterClass>, 11> kClasses = {{
      {U_GC_LL_MASK, CharacterClass::lower},
      {U_GC_LU_MASK | U_GC_LT_MASK, CharacterClass::upper},
      {U_GC_LM_MASK | U_GC_LO_MASK, CharacterClass::letter},
      {U_GC_M_MASK | U_GC_CF_MASK, CharacterClass::mark},
      {U_GC_ND_MASK, CharacterClass::digit},
      {U_GC_NL_MASK | U_GC_NO_MASK, CharacterClass::number},
      {U_GC_PD_MASK | U_GC_PC_MASK, CharacterClass::dash},
      {U_GC_PS_MASK | U_GC_PI_MASK, CharacterClass::open},
      {U_GC_PE_MASK | U_GC_PF_MASK, CharacterClass::close},
      {U_GC_PO_MASK, CharacterClass::punctuation},
      {U_GC_S_MASK, CharacterClass::symbol},
  }};
  for (const auto& [mask, kind] : kClasses) {
    if ((category & mask) != 0) return kind;
  }
  return CharacterClass::other;
}

char32_t icu_folded(char32_t character) {
  constexpr std::u32string_view kSingle = U"\u2018\u2019\u201B\u02BC\u00B4";
  constexpr std::u32string_view kDouble = U"\u201C\u201D\u201E\u201F";
  if (kSingle.find(character) != kSingle.npos) return U'\'';
  if (kDouble.find(character) != kDouble.npos) return U'"';
  UErrorCode error = U_ZERO_ERROR;
  std::array<UChar, 2> text{};
  int length = 0;
  U16_APPEND_UNSAFE(text, length, character);
  std::array<UChar, 32> folded{};
  const int size = unorm2_normalize(unorm2_getNFKCCasefoldInstance(&error), text.data(), length,
                                    folded.data(), static_cast<int>(folded.size()), &error);
  EXPECT_LE(error, U_ZERO_ERROR);
  if (size > 0) {
    int next = 0;
    UChar32 result = 0;
    U16_NEXT(folded, next, size, result);
    if (next == size) return static_cast<char32_t>(result);
  }
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character)));
}

TEST(CharacterTable, AgreesWithIcuOfTheSameVersion) {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  if (version[0] != 15 || version[1] != 0) GTEST_SKIP() << "this ICU has another version of Unicode";
  for (char32_t character = 0; character < kEnd; ++character) {
    if (is_surrogate(character)) continue;
    const auto code = static_cast<UChar32>(character);
    const CharacterTraits traits = CharacterTable::get()[character];
    ASSERT_EQ(traits.kind, icu_class(code)) << code;
    ASSERT_EQ(traits.folded, traits.kind == CharacterClass::space ? U' ' : icu_folded(character)) << code;
    UErrorCode error = U_ZERO_ERROR;
    const int script = uscript_getScript(code, &error);
    ASSERT_EQ(traits.script, script > 0 && script < 256 ? script : 0) << code;
    ASSERT_EQ(frozen_lower(character), static_cast<char32_t>(u_tolower(code))) << code;
    ASSERT_EQ(frozen_upper(character), static_cast<char32_t>(u_toupper(code))) << code;
  }
  const std::set<int> dense = {USCRIPT_HAN,     USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_BOPOMOFO,
                               USCRIPT_THAI,    USCRIPT_LAO,      USCRIPT_KHMER,    USCRIPT_MYANMAR,
                               USCRIPT_TIBETAN, USCRIPT_YI};
  for (int script = 0; script < static_cast<int>(kScripts); ++script) {
    EXPECT_EQ(is_written_without_spaces(static_cast<std::uint8_t>(script)), dense.contains(script)) << script;
  }
}

}  // namespace
}  // namespace copse
