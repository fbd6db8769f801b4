#pragma once

#include <cstdint>
#include <string_view>

#include "features/hashing.h"

namespace copse {

inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The first or last `count` characters of UTF-8 text, or all of it.
inline std::string_view first_characters(std::string_view text, int count) {
  std::size_t end = 0;
  while (end < text.size()) {
    if (!continues_character(text[end]) && count-- == 0) break;
    ++end;
  }
  return text.substr(0, end);
}

inline std::string_view last_characters(std::string_view text, int count) {
  std::size_t begin = text.size();
  while (begin > 0 && count > 0) {
    --begin;
    if (!continues_character(text[begin])) --count;
  }
  return text.substr(begin);
}

// Which kinds of characters follow each other: capitals, other letters of ASCII, digits, everything beyond
// ASCII; other ASCII characters stand for themselves.
inline std::uint64_t word_shape(std::string_view text) {
  std::uint64_t hash = 0x5AFE;
  char last = 0;
  for (const char c : text) {
    char kind = c;
    if (static_cast<unsigned char>(c) >= 0x80)
      kind = '\x7F';
    else if (c >= 'A' && c <= 'Z')
      kind = 'A';
    else if (c >= 'a' && c <= 'z')
      kind = 'a';
    else if (c >= '0' && c <= '9')
      kind = '0';
    if (kind != last) hash = mix(hash + static_cast<unsigned char>(kind));
    last = kind;
  }
  return hash;
}

}  // namespace copse
