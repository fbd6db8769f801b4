#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "features/hashing.h"

namespace copse {

// The numbers 0..count-1 in a random order that depends on seed and pass alone: the same on every machine,
// and a pass can be repeated without those before it.
inline std::vector<std::size_t> shuffled_order(std::size_t count, std::uint64_t seed, std::uint64_t pass) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t state = mix(mix(seed) + pass);
  for (std::size_t left = count; left > 1; --left) {
    state += 0x9E3779B97F4A7C15ULL;
    const auto chosen = static_cast<std::size_t>(static_cast<unsigned __int128>(mix(state)) * left >> 64);
    std::swap(order[left - 1], order[chosen]);
  }
  return order;
}

}  // namespace copse
