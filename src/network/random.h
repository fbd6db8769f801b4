#pragma once

#include <cmath>
#include <cstdint>

#include "features/hashing.h"

namespace copse {

// Random numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed + 0x9E3779B97F4A7C15ULL)) {}

  std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15ULL;
    return mix(state_);
  }
  // In [0, 1).
  float uniform() { return static_cast<float>(bits() >> 40) * 0x1p-24F; }
  // Below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }
  float normal() {
    constexpr float kTwoPi = 6.283185307179586F;
    const float radius = std::sqrt(-2.0F * std::log(1.0F - uniform()));
    return radius * std::cos(kTwoPi * uniform());
  }

 private:
  std::uint64_t state_;
};

}  // namespace copse
