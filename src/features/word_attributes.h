#pragma once

#include <cstdint>
#include <string_view>

#include "features/hashing.h"

namespace copse {

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
