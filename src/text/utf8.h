#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace copse {

// What some programs begin their files with.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Stands for what cannot be shown.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

// The length of the longest prefix that is valid UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
size_t valid_utf8_prefix(std::string_view text);

inline bool is_valid_utf8(std::string_view text) { return valid_utf8_prefix(text) == text.size(); }

// `text` between single quotes for a one-line message: control characters and invalid bytes appear as \xNN,
// and what goes beyond `max_bytes` is replaced by "...".
std::string quoted(std::string_view text, size_t max_bytes = 40);

// Whether a byte is the second, third or fourth of its character.
inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Takes the first character off non-empty, valid UTF-8 text. Of text that is not valid, the code is
// meaningless, but no byte behind the end is read, and at least one is taken.
inline char32_t take_character(std::string_view& text) {
  const auto byte = [&text](size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(text[k])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) {
    text.remove_prefix(1);
    return lead;
  }
  const size_t length = std::min<size_t>(lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, text.size());
  char32_t code = lead & (lead < 0xE0 ? 0x1F : lead < 0xF0 ? 0x0F : 0x07);
  for (size_t k = 1; k < length; ++k) code = code << 6 | (byte(k) & 0x3F);
  text.remove_prefix(length);
  return code;
}

void append_character(char32_t code, std::string& text);

// A character of text that may be invalid.
struct Character {
  static constexpr char32_t kInvalid = 0xFFFFFFFF;
  char32_t code = kInvalid;
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

// The functions below count the characters of valid UTF-8 by the bytes that begin one.
size_t count_characters(std::string_view text);

// The first or last `count` characters, or all there are.
std::string_view first_characters(std::string_view text, size_t count);
std::string_view last_characters(std::string_view text, size_t count);

// The most whole characters that `bytes` bytes have room for.
std::string_view first_bytes(std::string_view text, size_t bytes);

}  // namespace copse
