#pragma once

#include <cmath>
#include <cstdint>

#include "features/hashing.h"

namespace copse {

// Random numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed + kStep)) {}

  std::uint64_t bits() {
    state_ += kStep;
    return mix(state_);
  }
  // In [0, 1).
  float uniform() { return as_uniform(bits()); }
  // Below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }
  float normal() {
    constexpr float kTwoPi = 6.283185307179586F;
    const float radius = std::sqrt(-2.0F * std::log(1.0F - uniform()));
    return radius * std::cos(kTwoPi * uniform());
  }

  // Numbers out of turn, for machines that draw many at once: uniform_at(state(), k) is what the k-th of the
  // next calls of uniform() returns, from 0 on. skip() leaves some out.
  std::uint64_t state() const { return state_; }
  static constexpr float uniform_at(std::uint64_t state, std::uint64_t k) {
    return as_uniform(mix(state + (k + 1) * kStep));
  }
  void skip(std::uint64_t count) { state_ += count * kStep; }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;
  static constexpr float as_uniform(std::uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24F; }

  std::uint64_t state_;
};

}  // namespace copse
