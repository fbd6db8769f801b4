#include "io/checksum.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <unordered_set>
#include <vector>

#include "inference/test_settings.h"

namespace copse {
namespace {

using Bytes = std::vector<std::byte>;

void flip(Bytes& bytes, std::size_t bit) { bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8); }

Bytes random_bytes(std::size_t size, std::mt19937_64& random) {
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Random ones, and those with most structure: all zeros and all ones.
std::vector<Bytes> samples(std::size_t size) {
  std::mt19937_64 random = testing::case_generator(static_cast<int>(size));
  return {random_bytes(size, random), Bytes(size), Bytes(size, std::byte{255})};
}

std::uint64_t checksum_of(std::string_view text, std::uint64_t seed = 0) {
  return checksum(std::as_bytes(std::span(text)), seed);
}

TEST(Checksum, IsPartOfTheFormat) {
  EXPECT_EQ(checksum_of(""), 0x7E1FE1B8243D5F0Du);
  EXPECT_EQ(checksum_of("a"), 0x5DAD132962BA1350u);
  EXPECT_EQ(checksum_of("The quick brown fox jumps over the lazy dog"), 0x814B4D4EB4C48E9Bu);
  EXPECT_EQ(checksum_of("The quick brown fox jumps over the lazy dog", 1), 0x80B3390B3AC532E1u);
}

TEST(Checksum, FindsEveryFlippedBitAndEveryPairOfThem) {
  for (const std::size_t size : {1, 7, 8, 9, 31, 32, 33, 64, 72, 97}) {
    for (const Bytes& sample : samples(size)) {
      Bytes bytes = sample;
      const std::uint64_t intact = checksum(bytes);
      for (std::size_t first = 0; first < 8 * size; ++first) {
        flip(bytes, first);
        ASSERT_NE(checksum(bytes), intact) << size << " bytes, bit " << first;
        for (std::size_t second = 0; second < first; ++second) {
          flip(bytes, second);
          ASSERT_NE(checksum(bytes), intact) << size << " bytes, bits " << first << " and " << second;
          flip(bytes, second);
        }
        flip(bytes, first);
      }
    }
  }
}

TEST(Checksum, FindsTriplesOfFlippedBitsInNeighbouringWordsOfALane) {
  // Where a weak mixing step would show: words that follow each other in one of the four lanes.
  constexpr std::size_t kStripeBits = 256;
  const std::vector<std::size_t> telling_bits = {0, 1, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 61, 62, 63};
  for (const Bytes& sample : samples(96)) {
    Bytes bytes = sample;
    const std::uint64_t intact = checksum(bytes);
    for (const std::size_t first : telling_bits) {
      flip(bytes, first);
      for (std::size_t second = 0; second < 64; ++second) {
        flip(bytes, kStripeBits + second);
        for (std::size_t third = 0; third < 64; ++third) {
          for (const std::size_t stripe : {kStripeBits, 2 * kStripeBits}) {
            if (stripe + third == kStripeBits + second) continue;
            flip(bytes, stripe + third);
            ASSERT_NE(checksum(bytes), intact) << first << " " << second << " " << third << " " << stripe;
            flip(bytes, stripe + third);
          }
        }
        flip(bytes, kStripeBits + second);
      }
      flip(bytes, first);
    }
  }
}

TEST(Checksum, EveryBitChangesHalfOfTheResult) {
  constexpr int kTrials = 500;
  for (const std::size_t size : {8, 40, 100}) {
    for (const std::size_t bit : {std::size_t{0}, std::size_t{31}, std::size_t{63}, 8 * size - 1}) {
      std::array<int, 64> changes{};
      for (int trial = 0; trial < kTrials; ++trial) {
        std::mt19937_64 random = testing::case_generator(trial);
        Bytes bytes = random_bytes(size, random);
        std::uint64_t difference = checksum(bytes);
        flip(bytes, bit);
        difference ^= checksum(bytes);
        for (int k = 0; k < 64; ++k) changes[k] += static_cast<int>(difference >> k & 1);
      }
      // Six standard deviations of a fair coin.
      const double tolerance = 6 * 0.5 * std::sqrt(kTrials);
      for (int k = 0; k < 64; ++k) {
        EXPECT_NEAR(changes[k], kTrials / 2.0, tolerance) << size << " bytes, bit " << bit << " to " << k;
      }
    }
  }
}

TEST(Checksum, DependsOnLengthOrderAndSeed) {
  std::unordered_set<std::uint64_t> sums;
  for (std::size_t size = 0; size <= 200; ++size) sums.insert(checksum(Bytes(size)));
  EXPECT_EQ(sums.size(), 201U) << "zeros of different number";
  EXPECT_NE(checksum_of("", 1), checksum_of("", 2));
  EXPECT_NE(checksum_of("text", 1), checksum_of("text", 2));

  std::mt19937_64 random = testing::case_generator(0);
  const Bytes bytes = random_bytes(160, random);
  for (std::size_t first = 0; first < 160; first += 8) {
    for (std::size_t second = 0; second < first; second += 8) {
      Bytes swapped = bytes;
      std::swap_ranges(swapped.begin() + static_cast<std::ptrdiff_t>(first),
                       swapped.begin() + static_cast<std::ptrdiff_t>(first) + 8,
                       swapped.begin() + static_cast<std::ptrdiff_t>(second));
      EXPECT_NE(checksum(swapped), checksum(bytes)) << "words at " << first << " and " << second;
    }
  }
}

TEST(Checksum, DoesNotDependOnWhereTheBytesLie) {
  std::mt19937_64 random = testing::case_generator(1);
  const Bytes bytes = random_bytes(300, random);
  for (std::size_t shift = 1; shift < 16; ++shift) {
    Bytes shifted(shift);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(checksum(std::span(shifted).subspan(shift)), checksum(bytes));
  }
}

}  // namespace
}  // namespace copse
