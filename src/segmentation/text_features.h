#pragma once

#include <cstdint>

#include "features/hashing.h"

namespace copse {

// Hashes of features, which end up in model files: of a template, by its number, and what it saw.
constexpr std::uint64_t text_feature(std::uint64_t number, std::uint64_t a) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  return mix(a + number * kFactor);
}
constexpr std::uint64_t text_feature(std::uint64_t number, std::uint64_t a, std::uint64_t b) {
  return mix(text_feature(number, a) + b);
}
constexpr std::uint64_t text_feature(std::uint64_t number, std::uint64_t a, std::uint64_t b,
                                     std::uint64_t c) {
  return mix(text_feature(number, a, b) + c);
}

// Two characters, or a character and something small.
constexpr std::uint64_t pack_two(std::uint64_t a, std::uint64_t b) { return a << 32 | b; }

}  // namespace copse
