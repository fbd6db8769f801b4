#include "io/checksum.h"

#include <array>
#include <bit>
#include <cstring>

#include "io/bytes.h"

namespace copse {
namespace {

// Odd, so that multiplying by them loses nothing: the fractions of the golden ratio and of the square roots
// of 3 and 2 (the last made odd).
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kRootOfThree = 0xBB67AE8584CAA73B;
constexpr std::uint64_t kRootOfTwo = 0x6A09E667F3BCC909;

// Four chains that do not wait for each other keep the multiplier busy.
constexpr std::size_t kLanes = 4;
constexpr std::size_t kStripeBytes = kLanes * sizeof(std::uint64_t);

// Every step is a bijection of the lane for a given word and of the word for a given lane, so damage to one
// word always shows. The word is multiplied before it meets the lane because a flipped highest bit passes
// through the other multiplication as a single bit, which a second flipped bit in the next word could cancel.
std::uint64_t absorb(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane ^ (word * kGolden), 29) * kRootOfThree;
}

std::uint64_t scramble(std::uint64_t bits) {
  bits ^= bits >> 32;
  bits *= kGolden;
  bits ^= bits >> 29;
  bits *= kRootOfTwo;
  bits ^= bits >> 32;
  return bits;
}

using Lanes = std::array<std::uint64_t, kLanes>;

void absorb_stripe(Lanes& lanes, const std::byte* stripe) {
  for (std::size_t k = 0; k < kLanes; ++k) {
    lanes[k] = absorb(lanes[k], load_little_endian<std::uint64_t>(stripe + k * sizeof(std::uint64_t)));
  }
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  Lanes lanes;
  for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = seed + (k + 1) * kRootOfTwo;
  const std::size_t whole_stripes = bytes.size() / kStripeBytes;
  const std::byte* stripe = bytes.data();
  for (std::size_t k = 0; k < whole_stripes; ++k, stripe += kStripeBytes) absorb_stripe(lanes, stripe);
  if (const std::size_t left = bytes.size() % kStripeBytes; left > 0) {
    std::array<std::byte, kStripeBytes> last{};  // the length, below, tells the zeros from real ones
    std::memcpy(last.data(), stripe, left);
    absorb_stripe(lanes, last.data());
  }
  std::uint64_t sum = scramble(seed ^ (static_cast<std::uint64_t>(bytes.size()) * kGolden));
  for (const std::uint64_t lane : lanes) sum = scramble(sum ^ lane) * kRootOfThree;
  return scramble(sum);
}

}  // namespace copse
