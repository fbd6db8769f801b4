#include "cluster/sparse_numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace copse {
namespace {

constexpr std::size_t kBits = 64;

std::size_t mask_words(std::size_t numbers) { return (numbers + kBits - 1) / kBits; }

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t index) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + index * sizeof(word), sizeof(word));
  return word;
}

}  // namespace

bool pack_sparse(std::span<const std::int64_t> numbers, std::vector<std::byte>& bytes) {
  std::size_t values = 0;
  for (const std::int64_t number : numbers) values += number != 0 ? 1 : 0;
  const std::size_t words = mask_words(numbers.size()) + values;
  if (2 * words > numbers.size()) return false;
  bytes.resize(words * sizeof(std::uint64_t));
  std::byte* mask_place = bytes.data();
  std::byte* value_place = bytes.data() + mask_words(numbers.size()) * sizeof(std::uint64_t);
  for (std::size_t begin = 0; begin < numbers.size(); begin += kBits) {
    const std::size_t count = std::min(kBits, numbers.size() - begin);
    const std::int64_t* const block = numbers.data() + begin;
    std::uint64_t mask = 0;
    for (std::size_t k = 0; k < count; ++k) mask |= std::uint64_t{block[k] != 0} << k;
    std::memcpy(mask_place, &mask, sizeof(mask));
    mask_place += sizeof(mask);
    for (; mask != 0; mask &= mask - 1) {
      std::memcpy(value_place, block + std::countr_zero(mask), sizeof(std::int64_t));
      value_place += sizeof(std::int64_t);
    }
  }
  return true;
}

bool add_sparse(std::span<const std::byte> bytes, std::span<std::int64_t> numbers) {
  const std::size_t masks = mask_words(numbers.size());
  const std::size_t words = bytes.size() / sizeof(std::uint64_t);
  if (bytes.size() % sizeof(std::uint64_t) != 0 || words < masks) return false;
  std::size_t values = 0;
  for (std::size_t k = 0; k < masks; ++k) {
    values += static_cast<std::size_t>(std::popcount(word_at(bytes, k)));
  }
  if (words != masks + values) return false;
  const std::size_t in_last = numbers.size() % kBits;
  if (in_last != 0 && word_at(bytes, masks - 1) >> in_last != 0) return false;
  std::size_t next = masks;
  for (std::size_t k = 0; k < masks; ++k) {
    std::int64_t* const block = numbers.data() + k * kBits;
    for (std::uint64_t mask = word_at(bytes, k); mask != 0; mask &= mask - 1) {
      block[std::countr_zero(mask)] += static_cast<std::int64_t>(word_at(bytes, next++));
    }
  }
  return true;
}

}  // namespace copse
