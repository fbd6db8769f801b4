#include "segmentation/character_table.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace copse {
namespace {

CharacterClass class_of(UChar32 character) {
  if (character == 0 || u_isUWhiteSpace(character) != 0) return CharacterClass::space;
  if (u_hasBinaryProperty(character, UCHAR_S_TERM) != 0) return CharacterClass::terminal;
  switch (u_charType(character)) {
    case U_LOWERCASE_LETTER:
      return CharacterClass::lower;
    case U_UPPERCASE_LETTER:
    case U_TITLECASE_LETTER:
      return CharacterClass::upper;
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
      return CharacterClass::letter;
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK:
    case U_FORMAT_CHAR:
      return CharacterClass::mark;
    case U_DECIMAL_DIGIT_NUMBER:
      return CharacterClass::digit;
    case U_LETTER_NUMBER:
    case U_OTHER_NUMBER:
      return CharacterClass::number;
    case U_DASH_PUNCTUATION:
    case U_CONNECTOR_PUNCTUATION:
      return CharacterClass::dash;
    case U_START_PUNCTUATION:
    case U_INITIAL_PUNCTUATION:
      return CharacterClass::open;
    case U_END_PUNCTUATION:
    case U_FINAL_PUNCTUATION:
      return CharacterClass::close;
    case U_OTHER_PUNCTUATION:
      return CharacterClass::punctuation;
    case U_MATH_SYMBOL:
    case U_CURRENCY_SYMBOL:
    case U_MODIFIER_SYMBOL:
    case U_OTHER_SYMBOL:
      return CharacterClass::symbol;
    default:
      return CharacterClass::other;
  }
}

// Treebanks and texts write quotation marks in different ways.
char32_t fold_quotation_mark(char32_t character) {
  switch (character) {
    case 0x2018:
    case 0x2019:
    case 0x201B:
    case 0x02BC:
    case 0x00B4:
      return U'\'';
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x201F:
      return U'"';
    default:
      return character;
  }
}

char32_t fold(char32_t character) {
  const char32_t mark = fold_quotation_mark(character);
  if (mark != character) return mark;
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* folding = unorm2_getNFKCCasefoldInstance(&error);
  if (U_FAILURE(error)) return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character)));
  std::array<UChar, 2> text{};
  int length = 0;
  U16_APPEND_UNSAFE(text, length, character);
  std::array<UChar, 32> folded{};
  const int size =
      unorm2_normalize(folding, text.data(), length, folded.data(), static_cast<int>(folded.size()), &error);
  if (U_SUCCESS(error) && size > 0) {
    int next = 0;
    UChar32 result = 0;
    U16_NEXT(folded, next, size, result);
    if (next == size) return static_cast<char32_t>(result);
  }
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character)));
}

}  // namespace

bool is_written_without_spaces(std::uint8_t script) {
  constexpr std::array<int, 10> kScriptsWithoutSpaces = {
      USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_BOPOMOFO, USCRIPT_THAI,
      USCRIPT_LAO, USCRIPT_KHMER,    USCRIPT_MYANMAR,  USCRIPT_TIBETAN,  USCRIPT_YI};
  return std::find(kScriptsWithoutSpaces.begin(), kScriptsWithoutSpaces.end(), script) !=
         kScriptsWithoutSpaces.end();
}

CharacterTraits CharacterTable::compute(char32_t character) {
  const auto code = static_cast<UChar32>(character);
  CharacterTraits traits{};
  traits.kind = class_of(code);
  traits.folded = traits.kind == CharacterClass::space ? U' ' : fold(character);
  UErrorCode error = U_ZERO_ERROR;
  const int script = uscript_getScript(code, &error);
  traits.script = U_SUCCESS(error) && script > 0 && script < static_cast<int>(kScripts)
                      ? static_cast<std::uint8_t>(script)
                      : 0;
  traits.breaks_line = character == U'\n' || character == U'\r';
  return traits;
}

CharacterTable::CharacterTable() {
  constexpr char32_t kFrequent = 0x10000;
  table_.reserve(kFrequent);
  for (char32_t character = 0; character < kFrequent; ++character) {
    const bool is_surrogate = character >= 0xD800 && character < 0xE000;
    table_.push_back(is_surrogate ? CharacterTraits{character, CharacterClass::other, 0, false}
                                  : compute(character));
  }
}

const CharacterTable& CharacterTable::get() {
  static const CharacterTable table;
  return table;
}

}  // namespace copse
