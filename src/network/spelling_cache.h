#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "features/hashing.h"

namespace copse {

// What became of spellings before: most words of a text are words that it has had already. Bounded, because
// a spelling takes the place of another one. Spellings are known by 64 bits of hash.
class SpellingCache {
 public:
  static constexpr std::size_t kPlaces = std::size_t{1} << 14;

  // Of spellings with so many numbers each.
  explicit SpellingCache(std::size_t size) : size_(size) {}

  static std::uint64_t key_of(std::span<const std::uint32_t> characters) {
    std::uint64_t hash = characters.size() + 1;
    for (const std::uint32_t character : characters) hash = mix(hash + character);
    return hash == kNobody ? 1 : hash;
  }
  // Nothing if it is not there.
  std::span<const float> find(std::uint64_t key) const {
    if (keys_.empty() || keys_[key % kPlaces] != key) return {};
    return std::span(numbers_).subspan(key % kPlaces * size_, size_);
  }
  void add(std::uint64_t key, std::span<const float> numbers) {
    if (keys_.empty()) {
      keys_.assign(kPlaces, kNobody);
      numbers_.resize(kPlaces * size_);
    }
    keys_[key % kPlaces] = key;
    std::copy(numbers.begin(), numbers.end(),
              numbers_.begin() + static_cast<std::ptrdiff_t>(key % kPlaces * size_));
  }

 private:
  static constexpr std::uint64_t kNobody = 0;

  std::size_t size_;
  std::vector<std::uint64_t> keys_;  // by place
  std::vector<float> numbers_;       // of these
};

}  // namespace copse
