// Random numbers by counting: the same for the same seed, sentence and sample, whatever else is drawn.
#pragma once

#include <cstdint>

namespace copse {

// Bits as good as random of any number (the finaliser of SplitMix64).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
constexpr std::uint64_t sample_key(std::uint64_t seed, std::uint64_t sentence, std::uint64_t sample) {
  return mix_bits(mix_bits(mix_bits(seed) ^ sentence) ^ sample);
}

}  // namespace copse
