#include "features/row_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/row_kernels.cc"
#include "numeric/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Numbers = hn::CappedTag<std::uint64_t, 8>;

template <int kRows>
void sum(const std::uint64_t* const* rows, std::uint64_t start, std::size_t size, std::uint64_t* out) {
  const Numbers d;
  const auto starts = hn::Set(d, start);
  constexpr std::size_t kLanes = hn::MaxLanes(Numbers());
  std::size_t k = 0;
  for (; k + kLanes <= size; k += kLanes) {
    auto total = hn::Add(starts, hn::LoadU(d, rows[0] + k));
    for (int row = 1; row < kRows; ++row) total = hn::Add(total, hn::LoadU(d, rows[row] + k));
    hn::StoreU(total, d, out + k);
  }
  for (; k < size; ++k) {
    std::uint64_t total = start;
    for (int row = 0; row < kRows; ++row) total += rows[row][k];
    out[k] = total;
  }
}

void sum_any(std::span<const std::uint64_t* const> rows, std::uint64_t start, std::size_t size,
             std::uint64_t* out) {
  switch (rows.size()) {
    case 1:
      return sum<1>(rows.data(), start, size, out);
    case 2:
      return sum<2>(rows.data(), start, size, out);
    case 3:
      return sum<3>(rows.data(), start, size, out);
    case 4:
      return sum<4>(rows.data(), start, size, out);
    default:
      return sum<5>(rows.data(), start, size, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace copse {

HWY_EXPORT(sum_any);

void sum_rows(std::span<const std::uint64_t* const> rows, std::uint64_t start, std::size_t size,
              std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(sum_any)(rows, start, size, out);
}

}  // namespace copse
#endif
