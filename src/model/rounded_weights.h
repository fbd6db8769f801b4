#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/bytes.h"

namespace copse {

// How much of features and weights is kept. A feature is known by the highest bits of its hash: with b bits
// more than a table of the features needs for their places, a wrong match is a matter of about one in
// 2^b / 10. A weight is a number of 4 bits for the exponent (16 powers of two below the largest weight;
// smaller ones are dropped) and so many for the mantissa.
struct WeightPrecision {
  int tag_bits = 20;      // 8 to 20
  int mantissa_bits = 7;  // 0 to 7
};

// The code of a weight, 12 bits: sign, exponent (1 to 15; 0 only in the code 0, which is no weight),
// mantissa. It stands for a whole number of units.
using WeightCode = std::uint16_t;
constexpr std::int32_t units(WeightCode code) {
  const int exponent = code >> 7 & 0xF;
  if (exponent == 0) return 0;
  const std::int32_t magnitude = (128 + (code & 0x7F)) << (exponent - 1);
  return (code & 0x800) != 0 ? -magnitude : magnitude;
}
inline constexpr std::int32_t kMostUnits = 255 << 14;

// Features and their weights, as files have them.
struct RoundedWeights {
  int hash_bits = 32;                 // 32 to 64: so many of the highest bits are known, the others zero
  double unit = 1.0;                  // a power of two
  std::vector<std::uint64_t> hashes;  // rising, all different
  std::vector<WeightCode> codes;      // none is 0

  std::size_t size() const { return hashes.size(); }
  double weight(std::size_t k) const { return units(codes[k]) * unit; }
};

// Rounds finite weights. Those that become nothing are left out. Hashes come in any order; where two can no
// longer be told apart, the larger weight stays.
RoundedWeights round_weights(std::span<const std::uint64_t> hashes, std::span<const float> weights,
                             const WeightPrecision& precision);

// The coarsest precision that rounds the list to itself. Of hashes, more bits than a precision can ask for
// are not counted.
WeightPrecision precision_of(const RoundedWeights& list);

// The number of buckets that a table of so many features has, which the bits of hashes depend on.
std::size_t weight_buckets(std::size_t weights);

// The list in few bytes: differences of hashes, and codes as numbers in a dictionary, both in Rice's code.
void encode_weights(const RoundedWeights& list, ByteWriter& writer);
// DataError if what follows is not such a list.
RoundedWeights decode_weights(ByteReader& reader);

}  // namespace copse
