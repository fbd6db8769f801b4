#pragma once

#include <string_view>

namespace copse {

inline constexpr char32_t kInvalidCharacter = 0xFFFFFFFF;

struct Character {
  char32_t code = kInvalidCharacter;
  std::string_view bytes;
};

// The first character of a text that is not empty; a byte that starts no valid sequence stands alone.
Character first_character(std::string_view text);

template <typename Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const Character character = first_character(text);
    visit(character);
    text.remove_prefix(character.bytes.size());
  }
}

// On a terminal: 0, 1 or 2.
int character_columns(char32_t code);

}  // namespace copse
