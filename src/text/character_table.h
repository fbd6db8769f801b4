#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse {

// What segmenters see of characters. All of it is frozen at Unicode 15.0 (see make_character_table.py) and
// does not depend on the ICU library of the machine: stored models hold hashes of features that are made of
// it.
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
    return character < frequent_.size() ? frequent_[character] : find(character);
  }

 private:
  // The value of all characters from `first` to before the next run.
  struct Run {
    char32_t first;
    std::uint8_t value;
  };

  CharacterTable();
  CharacterTraits find(char32_t character) const;

  std::vector<Run> classes_;
  std::vector<Run> scripts_;
  std::vector<CharacterTraits> frequent_;  // of the basic plane
};

// The letter in the other case, if that is one character and there is one.
char32_t frozen_lower(char32_t character);
char32_t frozen_upper(char32_t character);

}  // namespace copse
