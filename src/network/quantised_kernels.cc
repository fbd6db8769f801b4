#include "network/quantised_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/quantised_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "network/activations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using IntLanes = hn::RebindToSigned<FloatLanes>;
using IntVector = hn::Vec<IntLanes>;
constexpr std::size_t kBlockVectors = kBlockColumns / kFloatLanes;
// As many rows and blocks at a time as keep their sums in registers.
constexpr std::size_t kTileBlocks = kFloatLanes == 16 ? kStripBlocks : 1;
constexpr std::size_t kTileRows = kFloatLanes == 16 ? 6 : kFloatLanes == 8 ? 4 : 1;

// The four activations of a row that meet one vector of weights, in every lane.
template <bool kFours>
struct FourActivations {
  IntVector all;
  explicit HWY_INLINE FourActivations(std::int32_t four) : all(hn::Set(IntLanes(), four)) {}
  // sums + the products with the four weights of each lane.
  HWY_INLINE IntVector add_products(IntVector sums, [[maybe_unused]] IntVector weights) const {
#if HWY_TARGET == HWY_AVX3
    // Not by its intrinsic, which Highway's targets do not include.
    asm("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(all.raw), "v"(weights.raw));
#endif
    return sums;
  }
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
// The sums of two products in 16 bits, one of which is 0, then of two of these in 32 bits.
HWY_INLINE IntVector add_pairs(IntVector sums, IntVector activations, IntVector weights) {
#if HWY_TARGET == HWY_AVX3
  const __m512i pairs = _mm512_maddubs_epi16(activations.raw, weights.raw);
  return IntVector{_mm512_add_epi32(sums.raw, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))};
#else
  const __m256i pairs = _mm256_maddubs_epi16(activations.raw, weights.raw);
  return IntVector{_mm256_add_epi32(sums.raw, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))};
#endif
}
template <>
struct FourActivations<false> {
  IntVector even;
  IntVector odd;
  explicit HWY_INLINE FourActivations(std::int32_t four)
      : even(hn::Set(IntLanes(), four & 0x00FF00FF)),
        odd(hn::Set(IntLanes(), static_cast<std::int32_t>(static_cast<std::uint32_t>(four) & 0xFF00FF00U))) {}
  HWY_INLINE IntVector add_products(IntVector sums, IntVector weights) const {
    return add_pairs(add_pairs(sums, even, weights), odd, weights);
  }
};
#else
template <>
struct FourActivations<false> {
  IntVector part[4];
  explicit HWY_INLINE FourActivations(std::int32_t four) {
    for (int k = 0; k < 4; ++k) part[k] = hn::Set(IntLanes(), four >> 8 * k & 255);
  }
  HWY_INLINE IntVector add_products(IntVector sums, IntVector weights) const {
    sums = hn::Add(sums, hn::Mul(part[0], hn::ShiftRight<24>(hn::ShiftLeft<24>(weights))));
    sums = hn::Add(sums, hn::Mul(part[1], hn::ShiftRight<24>(hn::ShiftLeft<16>(weights))));
    sums = hn::Add(sums, hn::Mul(part[2], hn::ShiftRight<24>(hn::ShiftLeft<8>(weights))));
    return hn::Add(sums, hn::Mul(part[3], hn::ShiftRight<24>(weights)));
  }
};
#endif

// kRows rows by kBlocks blocks.
template <bool kFours, std::size_t kRows, std::size_t kBlocks>
void multiply_tile(ByteRows rows, std::size_t first_row, const PackedWeights& weights,
                   std::size_t first_block, const float* bias, Matrix result) {
  constexpr std::size_t kVectors = kBlocks * kBlockVectors;
  const IntLanes d;
  IntVector sums[kRows][kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    const IntVector start = hn::LoadU(d, weights.starts + first_block * kBlockColumns + v * kFloatLanes);
    for (std::size_t r = 0; r < kRows; ++r) sums[r][v] = start;
  }
  constexpr std::size_t kVectorBytes = kBlockColumns * kBlockInputs;
  const std::int8_t* at = weights.bytes + weights.begin(first_block) * kVectorBytes;
  const std::size_t step = weights.step(first_block) * kVectorBytes;
  const std::uint8_t* activations = rows.bytes + first_row * rows.stride;
  for (std::size_t group = 0; group < weights.input_groups; ++group) {
    IntVector columns[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      columns[v] = hn::LoadU(d, reinterpret_cast<const std::int32_t*>(at) + v * kFloatLanes);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t four;
      std::memcpy(&four, activations + r * rows.stride, sizeof(four));
      const FourActivations<kFours> fours(four);
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = fours.add_products(sums[r][v], columns[v]);
    }
    at += step;
    activations += kBlockInputs;
  }
  const FloatLanes floats;
  FloatVector row_scales[kRows];
  for (std::size_t r = 0; r < kRows; ++r) row_scales[r] = hn::Set(floats, rows.scales[first_row + r]);
  for (std::size_t v = 0; v < kVectors; ++v) {
    const std::size_t column = first_block * kBlockColumns + v * kFloatLanes;
    if (column >= result.columns) break;
    const FloatVector scale = hn::LoadU(floats, weights.scales + column);
    const auto store_column = [&](auto vector) HWY_ATTR {
      const FloatVector start = bias == nullptr ? hn::Zero(floats) : vector.load(bias + column);
      for (std::size_t r = 0; r < kRows; ++r) {
        const FloatVector sum = hn::ConvertTo(floats, sums[r][v]);
        vector.store(hn::MulAdd(sum, hn::Mul(row_scales[r], scale), start),
                     result.row(first_row + r) + column);
      }
    };
    if (column + kFloatLanes <= result.columns) {
      store_column(WholeVector());
    } else {
      store_column(FirstOfVector{result.columns - column});
    }
  }
}

// The tiles of some neighbouring blocks, as equal as possible.
template <bool kFours, std::size_t kBlocks>
HWY_INLINE void multiply_strip(ByteRows rows, std::size_t first_row, std::size_t end_row,
                               const PackedWeights& weights, std::size_t first_block, const float* bias,
                               Matrix result) {
  for (std::size_t row = first_row; row < end_row;) {
    const std::size_t left = end_row - row;
    const std::size_t tiles = (left + kTileRows - 1) / kTileRows;
    const std::size_t size = (left + tiles - 1) / tiles;
    const auto tile = [&](auto size_constant) HWY_ATTR {
      multiply_tile<kFours, size_constant(), kBlocks>(rows, row, weights, first_block, bias, result);
    };
    using std::integral_constant;
    if constexpr (kTileRows >= 6) {
      if (size == 6) tile(integral_constant<std::size_t, 6>());
      if (size == 5) tile(integral_constant<std::size_t, 5>());
    }
    if constexpr (kTileRows >= 4) {
      if (size == 4) tile(integral_constant<std::size_t, 4>());
      if (size == 3) tile(integral_constant<std::size_t, 3>());
      if (size == 2) tile(integral_constant<std::size_t, 2>());
    }
    if (size == 1) tile(integral_constant<std::size_t, 1>());
    row += size;
  }
}

// So many rows at a time that weights and results stay in the cache.
constexpr std::size_t kChunkRows = 48;

template <bool kFours>
void multiply_with(ByteRows rows, const PackedWeights& weights, const float* bias, Matrix result) {
  for (std::size_t first = 0; first < result.rows; first += kChunkRows) {
    const std::size_t end = std::min(first + kChunkRows, result.rows);
    std::size_t block = 0;
    if constexpr (kTileBlocks > 1) {
      for (; block + kTileBlocks <= weights.blocks; block += kTileBlocks) {
        multiply_strip<kFours, kTileBlocks>(rows, first, end, weights, block, bias, result);
      }
    }
    for (; block < weights.blocks; ++block) {
      multiply_strip<kFours, 1>(rows, first, end, weights, block, bias, result);
    }
  }
}

void multiply_fours(ByteRows rows, const PackedWeights& weights, const float* bias, Matrix result) {
  multiply_with<HWY_TARGET == HWY_AVX3>(rows, weights, bias, result);
}
void multiply_single(ByteRows rows, const PackedWeights& weights, const float* bias, Matrix result) {
  multiply_with<false>(rows, weights, bias, result);
}

// round(factor x) + 128, within the bytes that 127 levels on either side need.
void quantise_by(std::span<const float> row, float factor, std::uint8_t* bytes) {
  const FloatLanes d;
  const hn::Rebind<std::uint8_t, FloatLanes> byte_lanes;
  const FloatVector factors = hn::Set(d, factor);
  const FloatVector lowest = hn::Set(d, 1.0F);
  const FloatVector highest = hn::Set(d, 255.0F);
  const FloatVector middle = hn::Set(d, static_cast<float>(kZeroActivation));
  for_each_vector(row.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    const FloatVector level = hn::MulAdd(vector.load(row.data() + k), factors, middle);
    const auto rounded = hn::NearestInt(hn::Max(hn::Min(level, highest), lowest));
    vector.store_bytes(hn::DemoteTo(byte_lanes, rounded), byte_lanes, bytes + k);
  });
}

void add_codes(std::span<const std::int8_t> codes, float scale, float* to) {
  const FloatLanes d;
  const hn::Rebind<std::int8_t, FloatLanes> byte_lanes;
  const FloatVector scales = hn::Set(d, scale);
  for_each_vector(codes.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    const auto numbers = hn::PromoteTo(IntLanes(), vector.load_bytes(byte_lanes, codes.data() + k));
    vector.store(hn::MulAdd(hn::ConvertTo(d, numbers), scales, vector.load(to + k)), to + k);
  });
}

// The largest magnitude, or NaN if there is one; infinity counts.
float largest_magnitude(std::span<const float> row) {
  FloatVector largest = hn::Zero(FloatLanes());
  for_each_vector(row.size(), [&](auto vector, std::size_t k) HWY_ATTR {
    const FloatVector x = hn::Abs(vector.load(row.data() + k));
    // NaN is not less than anything, nor the other way round: once there, it stays.
    largest =
        hn::IfThenElse(hn::Lt(x, largest), largest, hn::IfThenElse(hn::Eq(largest, largest), x, largest));
  });
  float lanes[kFloatLanes];
  hn::StoreU(largest, FloatLanes(), lanes);
  float result = 0.0F;
  for (const float lane : lanes) result = lane < result || std::isnan(result) ? result : lane;
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(multiply_fours);
HWY_EXPORT(multiply_single);
HWY_EXPORT(quantise_by);
HWY_EXPORT(largest_magnitude);
HWY_EXPORT(add_codes);

namespace {

bool has_sums_of_fours() {
#if HWY_ARCH_X86
  static const bool has = __builtin_cpu_supports("avx512vnni");
  return has;
#else
  return false;
#endif
}

}  // namespace

void multiply_bytes(ByteRows rows, const PackedWeights& weights, const float* bias, Matrix result,
                    ByteProducts instructions) {
  if (instructions == ByteProducts::best && has_sums_of_fours()) {
    HWY_DYNAMIC_DISPATCH(multiply_fours)(rows, weights, bias, result);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_single)(rows, weights, bias, result);
  }
}

float quantise_row(std::span<const float> row, std::uint8_t* bytes) {
  const float largest = HWY_DYNAMIC_DISPATCH(largest_magnitude)(row);
  // So small that the factor would be infinite: as good as 0.
  const bool is_zero = largest < 1e-30F;
  const bool is_finite = largest <= std::numeric_limits<float>::max();
  HWY_DYNAMIC_DISPATCH(quantise_by)(row, is_zero || !is_finite ? 0.0F : kBoundedLevels / largest, bytes);
  if (!is_finite) return std::numeric_limits<float>::quiet_NaN();
  return is_zero ? 0.0F : largest / kBoundedLevels;
}

void add_scaled_codes(std::span<const std::int8_t> codes, float scale, float* to) {
  HWY_DYNAMIC_DISPATCH(add_codes)(codes, scale, to);
}

void quantise_bounded_row(std::span<const float> row, std::uint8_t* bytes) {
  HWY_DYNAMIC_DISPATCH(quantise_by)(row, kBoundedLevels, bytes);
}

}  // namespace copse
#endif
