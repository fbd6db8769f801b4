#include "network/bfloat16_kernels.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "network/bfloat16_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::uint16_t rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

void convert_row(const float* from, std::size_t size, std::uint16_t* to) {
  const hn::ScalableTag<std::uint32_t> whole;
  const hn::RebindToFloat<decltype(whole)> floats;
  const hn::Rebind<std::uint16_t, decltype(whole)> halves;
  const std::size_t lanes = hn::Lanes(whole);
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    const auto bits = hn::BitCast(whole, hn::LoadU(floats, from + k));
    const auto is_odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(whole, 1));
    const auto sum = hn::Add(hn::Add(bits, hn::Set(whole, 0x7FFF)), is_odd);
    hn::StoreU(hn::TruncateTo(halves, hn::ShiftRight<16>(sum)), halves, to + k);
  }
  for (; k < size; ++k) to[k] = rounded(from[k]);
}

void convert_rows(ConstMatrix values, std::uint16_t* result) {
  for (std::size_t r = 0; r < values.rows; ++r) {
    convert_row(values.row(r), values.columns, result + r * values.columns);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(convert_rows);

void convert_to_bfloat16(ConstMatrix values, std::uint16_t* result) {
  HWY_DYNAMIC_DISPATCH(convert_rows)(values, result);
}

}  // namespace copse
#endif
