#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace copse {

// A bijection that spreads every input bit over the whole word.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ULL;
  x ^= x >> 29;
  x *= 0x9FB21C651E98DF25ULL;
  x ^= x >> 32;
  return x;
}

// The same value on every machine: it ends up in model files.
constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0x2545F4914F6CDD1DULL + text.size();
  std::uint64_t word = 0;
  int bytes = 0;
  for (const char c : text) {
    word = word << 8 | static_cast<unsigned char>(c);
    if (++bytes == 8) {
      hash = mix(hash ^ word);
      word = 0;
      bytes = 0;
    }
  }
  return mix(hash ^ word ^ static_cast<std::uint64_t>(bytes) << 56);
}

}  // namespace copse
