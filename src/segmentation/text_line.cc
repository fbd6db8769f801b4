#include "segmentation/text_line.h"

#include <algorithm>

#include "text/character_table.h"
#include "text/utf8.h"

namespace copse {

std::string_view trimmed_line(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(kLineSpaces), line.size());
  return line.substr(begin, line.find_last_not_of(kLineSpaces) + 1 - begin);
}

bool ends_in_word(std::string_view line) {
  std::string_view character = last_characters(line, 1);
  const CharacterClass last = CharacterTable::get()[take_character(character)].kind;
  return is_word_part(last) || last == CharacterClass::digit;
}

}  // namespace copse
