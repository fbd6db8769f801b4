#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace copse::testing {

inline std::vector<float> normal_numbers(std::mt19937_64& random, std::size_t size, float deviation = 1.0F) {
  std::normal_distribution<float> distribution(0.0F, deviation);
  std::vector<float> numbers(size);
  for (float& number : numbers) number = distribution(random);
  return numbers;
}

}  // namespace copse::testing
