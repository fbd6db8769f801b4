#pragma once

#include <cstdint>
#include <vector>

namespace copse {

// What segmentation sees of a character. The numbers end up in model files through the hashes of features.
enum class CharacterClass : std::uint8_t {
  outside,  // before the first and after the last character of a text
  space,    // Unicode's white space, and NUL, which no column can hold
  lower,
  upper,
  letter,  // without case
  mark,    // what belongs to the character before it: accents, joiners, invisible characters
  digit,   // decimal
  number,  // others
  dash,    // and connectors
  open,    // brackets and quotation marks
  close,
  terminal,  // what can end a sentence
  punctuation,
  symbol,
  other,
};
inline constexpr std::size_t kCharacterClasses = 15;

struct CharacterTraits {
  char32_t folded;  // compatible characters, upper and lower case and kinds of quotation marks made equal
  CharacterClass kind;
  std::uint8_t script;  // ICU's number
  bool breaks_line;
};

inline bool is_word_part(CharacterClass kind) {
  return kind == CharacterClass::lower || kind == CharacterClass::upper || kind == CharacterClass::letter ||
         kind == CharacterClass::mark;
}

// Whether texts in this script are usually written without spaces between words.
bool is_written_without_spaces(std::uint8_t script);
inline constexpr std::size_t kScripts = 256;

// The traits of all characters, in a table for those that are frequent.
class CharacterTable {
 public:
  static const CharacterTable& get();

  CharacterTraits operator[](char32_t character) const {
    return character < table_.size() ? table_[character] : compute(character);
  }

 private:
  CharacterTable();
  static CharacterTraits compute(char32_t character);

  std::vector<CharacterTraits> table_;  // of the basic plane
};

}  // namespace copse
