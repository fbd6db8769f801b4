#include "model/rounded_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace copse {
namespace {

constexpr int kExponents = 15;
constexpr int kMantissaBits = 7;
constexpr int kFewestHashBits = 32;
constexpr int kFewestTagBits = 8;
constexpr int kMostTagBits = 20;
constexpr std::size_t kCodes = 1 << 12;

// The unit that makes the largest weight use the highest exponent.
double unit_for(std::span<const float> weights) {
  double largest = 0.0;
  for (const float weight : weights) largest = std::max(largest, std::abs(static_cast<double>(weight)));
  if (largest == 0.0) return 1.0;
  return std::ldexp(1.0, std::ilogb(largest) - kMantissaBits - (kExponents - 1));
}

WeightCode code_of(double weight, double unit, int mantissa_bits) {
  const double magnitude = std::abs(weight) / unit;
  constexpr double kSmallest = 1 << kMantissaBits;
  if (magnitude < kSmallest / 2) return 0;
  int exponent = std::max(1, std::ilogb(magnitude) - kMantissaBits + 1);
  const int step = 1 << (kMantissaBits - mantissa_bits);
  int mantissa = static_cast<int>(std::lround(std::ldexp(magnitude, 1 - exponent) / step)) * step;
  mantissa = std::max(mantissa, 1 << kMantissaBits);
  if (mantissa == 2 << kMantissaBits) {
    mantissa = 1 << kMantissaBits;
    ++exponent;
  }
  if (exponent > kExponents) {
    exponent = kExponents;
    mantissa = (2 << kMantissaBits) - step;
  }
  return static_cast<WeightCode>((weight < 0 ? 0x800 : 0) | exponent << kMantissaBits |
                                 (mantissa - (1 << kMantissaBits)));
}

// How many bits of a hash say where a table has its feature.
int place_bits(std::size_t weights) { return static_cast<int>(std::bit_width(weight_buckets(weights))) - 1; }

// Numbers whose size is known roughly: the low bits as they are, the rest as so many zeros before a one.
class RiceWriter {
 public:
  explicit RiceWriter(int low_bits) : low_bits_(low_bits) {}

  void write(std::uint64_t number) {
    for (std::uint64_t high = number >> low_bits_; high > 0; --high) put(0, 1);
    put(1, 1);
    put(number & ((std::uint64_t{1} << low_bits_) - 1), low_bits_);
  }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  void put(std::uint64_t bits, int count) {
    if (count == 0) return;
    const int offset = static_cast<int>(used_ % 64);
    if (offset == 0) words_.push_back(0);
    words_.back() |= bits << offset;
    if (offset + count > 64) words_.push_back(bits >> (64 - offset));
    used_ += static_cast<std::uint64_t>(count);
  }

  int low_bits_;
  std::uint64_t used_ = 0;
  std::vector<std::uint64_t> words_;
};

class RiceReader {
 public:
  RiceReader(std::span<const std::uint64_t> words, int low_bits) : words_(words), low_bits_(low_bits) {}

  // Nothing sensible behind the end, but is_past_end() then.
  std::uint64_t read() {
    std::uint64_t high = 0;
    std::uint64_t window = bits();
    while (window == 0 && !is_past_end()) {
      high += 64;
      position_ += 64;
      window = bits();
    }
    const int zeros = std::countr_zero(window | std::uint64_t{1} << 63);
    high += static_cast<std::uint64_t>(zeros);
    position_ += static_cast<std::uint64_t>(zeros) + 1;
    const std::uint64_t low = bits() & ((std::uint64_t{1} << low_bits_) - 1);
    position_ += static_cast<std::uint64_t>(low_bits_);
    return high << low_bits_ | low;
  }
  bool is_past_end() const { return position_ > words_.size() * 64; }

 private:
  // The next 64.
  std::uint64_t bits() const {
    const std::size_t word = position_ / 64;
    const int offset = static_cast<int>(position_ % 64);
    const std::uint64_t first = word < words_.size() ? words_[word] : 0;
    if (offset == 0) return first;
    const std::uint64_t second = word + 1 < words_.size() ? words_[word + 1] : 0;
    return first >> offset | second << (64 - offset);
  }

  std::span<const std::uint64_t> words_;
  int low_bits_;
  std::uint64_t position_ = 0;
};

int rice_bits(const RoundedWeights& list) {
  if (list.hashes.empty()) return 0;
  // With numbers drawn at random, two thirds of the mean difference is the best divisor.
  const double mean = std::ldexp(1.0, list.hash_bits) / static_cast<double>(list.size());
  return std::clamp(static_cast<int>(std::lround(std::log2(mean * 0.69))), 0, 56);
}

// Frequent codes get small numbers.
std::vector<WeightCode> dictionary_of(std::span<const WeightCode> codes) {
  std::array<std::size_t, kCodes> counts{};
  for (const WeightCode code : codes) ++counts[code];
  std::vector<WeightCode> dictionary;
  for (std::size_t code = 0; code < kCodes; ++code) {
    if (counts[code] > 0) dictionary.push_back(static_cast<WeightCode>(code));
  }
  std::stable_sort(dictionary.begin(), dictionary.end(),
                   [&](WeightCode a, WeightCode b) { return counts[a] > counts[b]; });
  return dictionary;
}

// The number of low bits that makes all numbers take the least.
int best_low_bits(std::span<const std::size_t> counts) {
  int best = 0;
  std::uint64_t least = UINT64_MAX;
  for (int low_bits = 0; low_bits <= 12; ++low_bits) {
    std::uint64_t bits = 0;
    for (std::size_t number = 0; number < counts.size(); ++number) {
      bits += counts[number] * ((number >> low_bits) + 1 + static_cast<std::size_t>(low_bits));
    }
    if (bits < least) {
      least = bits;
      best = low_bits;
    }
  }
  return best;
}

}  // namespace

std::size_t weight_buckets(std::size_t weights) {
  // Buckets of 16 with ten features on average: one in thirty is full.
  return weights / 10 + 1;
}

RoundedWeights round_weights(std::span<const std::uint64_t> hashes, std::span<const float> weights,
                             const WeightPrecision& precision) {
  RoundedWeights list;
  list.unit = unit_for(weights);
  std::vector<std::pair<std::uint64_t, WeightCode>> entries;
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    const WeightCode code = code_of(weights[k], list.unit, precision.mantissa_bits);
    if (code != 0) entries.emplace_back(hashes[k], code);
  }
  list.hash_bits = std::max(kFewestHashBits, place_bits(entries.size()) + precision.tag_bits);
  const std::uint64_t known = ~std::uint64_t{0} << (64 - list.hash_bits);
  for (auto& entry : entries) entry.first &= known;
  std::sort(entries.begin(), entries.end());
  for (const auto& [hash, code] : entries) {
    if (!list.hashes.empty() && list.hashes.back() == hash) {
      if (std::abs(units(code)) > std::abs(units(list.codes.back()))) list.codes.back() = code;
      continue;
    }
    list.hashes.push_back(hash);
    list.codes.push_back(code);
  }
  return list;
}

WeightPrecision precision_of(const RoundedWeights& list) {
  WeightPrecision precision;
  precision.tag_bits = std::clamp(list.hash_bits - place_bits(list.size()), kFewestTagBits, kMostTagBits);
  unsigned mantissas = 0;
  for (const WeightCode code : list.codes) mantissas |= code & ((1U << kMantissaBits) - 1);
  precision.mantissa_bits = mantissas == 0 ? 0 : kMantissaBits - std::countr_zero(mantissas);
  return precision;
}

void encode_weights(const RoundedWeights& list, ByteWriter& writer) {
  const int low_bits = rice_bits(list);
  writer.u64(list.size());
  writer.u8(static_cast<std::uint8_t>(list.hash_bits));
  writer.u8(static_cast<std::uint8_t>(low_bits));
  writer.i32(std::ilogb(list.unit));
  RiceWriter differences(low_bits);
  std::uint64_t before = 0;
  for (const std::uint64_t hash : list.hashes) {
    const std::uint64_t number = hash >> (64 - list.hash_bits);
    differences.write(number - before);
    before = number + 1;
  }
  writer.numbers(differences.words());
  const std::vector<WeightCode> dictionary = dictionary_of(list.codes);
  std::array<std::size_t, kCodes> number_of{};
  for (std::size_t k = 0; k < dictionary.size(); ++k) number_of[dictionary[k]] = k;
  std::vector<std::size_t> counts(dictionary.size());
  for (const WeightCode code : list.codes) ++counts[number_of[code]];
  const int code_bits = best_low_bits(counts);
  RiceWriter codes(code_bits);
  for (const WeightCode code : list.codes) codes.write(number_of[code]);
  writer.numbers(std::span<const WeightCode>(dictionary));
  writer.u8(static_cast<std::uint8_t>(code_bits));
  writer.numbers(codes.words());
}

RoundedWeights decode_weights(ByteReader& reader) {
  const auto check = [&](bool is_right) {
    if (!is_right) reader.fail("is not a list of weights");
  };
  RoundedWeights list;
  const std::uint64_t size = reader.u64();
  list.hash_bits = reader.u8();
  const int low_bits = reader.u8();
  const std::int32_t unit = reader.i32();
  check(list.hash_bits >= kFewestHashBits && list.hash_bits <= 64 && low_bits <= 56);
  // The sums of very many of the largest weights must stay finite.
  check(unit >= -1000 && unit <= 900);
  list.unit = std::ldexp(1.0, unit);
  const std::vector<std::uint64_t> words = reader.numbers<std::uint64_t>();
  check(size <= words.size() * 64);
  list.hashes.reserve(size);
  RiceReader differences(words, low_bits);
  const std::uint64_t last = ~std::uint64_t{0} >> (64 - list.hash_bits);
  std::uint64_t next = 0;
  for (std::uint64_t k = 0; k < size; ++k) {
    const std::uint64_t difference = differences.read();
    check(!differences.is_past_end() && difference <= last - next && (k == 0 || next != 0));
    list.hashes.push_back((next + difference) << (64 - list.hash_bits));
    next = (next + difference + 1) & last;
  }
  const std::vector<WeightCode> dictionary = reader.numbers<WeightCode>();
  check(dictionary.size() <= kCodes);
  for (const WeightCode code : dictionary) check(code < kCodes && units(code) != 0);
  const int code_bits = reader.u8();
  check(code_bits <= 12);
  const std::vector<std::uint64_t> code_words = reader.numbers<std::uint64_t>();
  RiceReader codes(code_words, code_bits);
  list.codes.reserve(size);
  for (std::uint64_t k = 0; k < size; ++k) {
    const std::uint64_t number = codes.read();
    check(!codes.is_past_end() && number < dictionary.size());
    list.codes.push_back(dictionary[number]);
  }
  return list;
}

}  // namespace copse
