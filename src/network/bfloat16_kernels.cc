#include "network/bfloat16_kernels.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/bfloat16_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Whole = hn::ScalableTag<std::uint32_t>;

std::uint16_t rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

// In the upper halves; the lower ones are rests.
HWY_ATTR hn::Vec<Whole> rounded(const float* from) {
  const Whole whole;
  const auto bits = hn::BitCast(whole, hn::LoadU(hn::RebindToFloat<Whole>(), from));
  const auto is_odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(whole, 1));
  return hn::Add(hn::Add(bits, hn::Set(whole, 0x7FFF)), is_odd);
}

void convert_row(const float* from, std::size_t size, std::uint16_t* to) {
  const Whole whole;
  const hn::Rebind<std::uint16_t, Whole> halves;
  const std::size_t lanes = hn::Lanes(whole);
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    hn::StoreU(hn::TruncateTo(halves, hn::ShiftRight<16>(rounded(from + k))), halves, to + k);
  }
  for (; k < size; ++k) to[k] = rounded(from[k]);
}

void convert_rows(ConstMatrix values, std::uint16_t* result) {
  for (std::size_t r = 0; r < values.rows; ++r) {
    convert_row(values.row(r), values.columns, result + r * values.columns);
  }
}

// Whole blocks alone.
void pack_pair(const float* first, const float* second, std::uint32_t* to) {
  const Whole whole;
  const auto upper = hn::Set(whole, 0xFFFF0000U);
  for (std::size_t k = 0; k < kBlockColumns; k += hn::Lanes(whole)) {
    const auto low = hn::ShiftRight<16>(rounded(first + k));
    hn::StoreU(hn::Or(low, hn::And(rounded(second + k), upper)), whole, to + k);
  }
}

void pack_columns(ConstMatrix columns, std::uint32_t* result) {
  float padded[2][kBlockColumns] = {};
  const std::size_t pairs = (columns.rows + kTileRows - 1) / kTileRows * kTileRows / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const float* rows[2];
    for (const std::size_t k : {0, 1}) {
      const std::size_t number = 2 * pair + k;
      rows[k] = number < columns.rows ? columns.row(number) : padded[k];
      if (number < columns.rows && columns.columns == kBlockColumns) continue;
      const std::size_t size = number < columns.rows ? columns.columns : 0;
      std::copy_n(rows[k], size, padded[k]);
      std::fill(padded[k] + size, padded[k] + kBlockColumns, 0.0F);
      rows[k] = padded[k];
    }
    pack_pair(rows[0], rows[1], result + pair * kBlockColumns);
  }
}

// 32 numbers of each row at a time make a tile, pairs of them its columns.
void pack_rows(ConstMatrix rows, std::uint32_t* result) {
  constexpr std::size_t kPairs = kTileRows / 2;
  alignas(64) std::uint32_t pairs[kBlockColumns][kPairs] = {};
  const Whole whole;
  const hn::RebindToSigned<Whole> places;
  const std::size_t lanes = hn::Lanes(whole);
  const auto steps = hn::Mul(hn::Iota(places, 0), hn::Set(places, static_cast<std::int32_t>(kPairs)));
  for (std::size_t begin = 0; begin < rows.columns; begin += kTileRows) {
    const std::size_t size = std::min(kTileRows, rows.columns - begin);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      auto* halves = reinterpret_cast<std::uint16_t*>(pairs[r]);
      convert_row(rows.row(r) + begin, size, halves);
      std::fill(halves + size, halves + kTileRows, std::uint16_t{0});
    }
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      for (std::size_t r = 0; r < kBlockColumns; r += lanes) {
        hn::StoreU(hn::GatherIndex(whole, &pairs[r][pair], steps), whole, result);
        result += lanes;
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(convert_rows);
HWY_EXPORT(pack_columns);
HWY_EXPORT(pack_rows);

void convert_to_bfloat16(ConstMatrix values, std::uint16_t* result) {
  HWY_DYNAMIC_DISPATCH(convert_rows)(values, result);
}

void pack_block(ConstMatrix columns, std::uint16_t* result) {
  if (columns.columns > kBlockColumns) throw std::invalid_argument("too many columns for a block");
  HWY_DYNAMIC_DISPATCH(pack_columns)(columns, reinterpret_cast<std::uint32_t*>(result));
}

void pack_transposed_block(ConstMatrix rows, std::uint16_t* result) {
  if (rows.rows > kBlockColumns) throw std::invalid_argument("too many rows for a block");
  HWY_DYNAMIC_DISPATCH(pack_rows)(rows, reinterpret_cast<std::uint32_t*>(result));
}

}  // namespace copse
#endif
