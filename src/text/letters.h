#pragma once

#include <cstddef>
#include <string_view>

#include "text/utf8.h"

namespace copse {

// The two or three letters that a syllable of Hangul consists of (Unicode's canonical decomposition), or the
// character alone.
struct Letters {
  char32_t codes[3];
  std::size_t count;
};
constexpr Letters letters_of(char32_t character) {
  constexpr char32_t kFirst = 0xAC00;
  constexpr char32_t kLeading = 0x1100;
  constexpr char32_t kVowel = 0x1161;
  constexpr char32_t kTrailing = 0x11A7;  // for none
  constexpr char32_t kVowels = 21;
  constexpr char32_t kTrailings = 28;
  if (character < kFirst || character >= kFirst + 19 * kVowels * kTrailings) return {{character}, 1};
  const char32_t syllable = character - kFirst;
  const char32_t trailing = syllable % kTrailings;
  return {{kLeading + syllable / (kVowels * kTrailings), kVowel + syllable / kTrailings % kVowels,
           kTrailing + trailing},
          trailing == 0 ? std::size_t{2} : std::size_t{3}};
}

// Calls use(text) for all letters of a text that may be invalid.
template <class Use>
void for_each_letter(std::string_view text, Use use) {
  for_each_character(text, [&](const Character& character) {
    const Letters letters = letters_of(character.code);
    if (letters.count == 1) {
      use(character.bytes);
      return;
    }
    // All of them have three bytes.
    for (std::size_t k = 0; k < letters.count; ++k) {
      const char32_t code = letters.codes[k];
      const char bytes[] = {static_cast<char>(0xE0 | code >> 12),
                            static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                            static_cast<char>(0x80 | (code & 0x3F))};
      use(std::string_view(bytes, sizeof bytes));
    }
  });
}

}  // namespace copse
