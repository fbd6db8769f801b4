#include "network/precision.h"

#include <algorithm>
#include <cmath>
#include <oneapi/dnnl/dnnl.hpp>
#include <span>
#include <vector>

#include "network/element_kernels.h"
#include "network/packed_matrix.h"
#include "network/random.h"

namespace copse {
namespace {

// Sizes that are tried before bfloat16 is trusted: rows, inner size, columns.
struct Tried {
  std::size_t rows, inner, columns;
};
constexpr Tried kTried[] = {{1, 384, 1536}, {7, 96, 384}, {17, 250, 770}, {251, 768, 320}, {64, 33, 65}};

bool is_close(std::span<const float> found, std::span<const float> expected, std::size_t terms) {
  // Factors in [-1, 1] with relative errors of 2^-9 each, and random signs: eight standard deviations.
  const float tolerance = 8.0F * 0x1p-8F * std::sqrt(static_cast<float>(terms));
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!(std::abs(found[k] - expected[k]) <= tolerance)) return false;
  }
  return true;
}

bool is_right(const Tried& sizes) {
  Random random(1);
  const auto numbers = [&random](std::size_t count) {
    std::vector<float> result(count);
    for (float& number : result) number = 2.0F * random.uniform() - 1.0F;
    return result;
  };
  const std::vector<float> left = numbers(sizes.rows * sizes.inner);
  const std::vector<float> right = numbers(sizes.inner * sizes.columns);
  std::vector<float> expected = numbers(sizes.rows * sizes.columns);
  std::vector<float> found = expected;
  const ConstMatrix a(left.data(), sizes.rows, sizes.inner);
  const ConstMatrix b(right.data(), sizes.inner, sizes.columns);
  PackedMatrix packed;
  packed.assign(b, Precision::bfloat16);
  for (const Into into : {Into::add, Into::replace}) {
    multiply(a, b, Matrix(expected.data(), sizes.rows, sizes.columns), into);
    multiply(a, packed, Matrix(found.data(), sizes.rows, sizes.columns), into);
    if (!is_close(found, expected, sizes.inner)) return false;
  }
  const ConstMatrix gradient(found.data(), sizes.rows, sizes.columns);
  std::vector<float> expected_gradient(sizes.inner * sizes.columns, 1.0F);
  std::vector<float> found_gradient = expected_gradient;
  // Numbers of about 1, as in the left factor.
  scale(found, 1.0F / std::sqrt(static_cast<float>(sizes.inner)));
  multiply_by_transposed(a, gradient, Matrix(expected_gradient.data(), sizes.inner, sizes.columns),
                         Into::add);
  multiply_by_transposed(a, gradient, Matrix(found_gradient.data(), sizes.inner, sizes.columns), Into::add,
                         Precision::bfloat16);
  return is_close(found_gradient, expected_gradient, sizes.rows);
}

}  // namespace

std::string_view name(Precision precision) { return precision == Precision::float32 ? "float" : "bfloat16"; }

std::optional<Precision> parse_precision(std::string_view text) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
    if (name(precision) == text) return precision;
  }
  return std::nullopt;
}

bool has_bfloat16() {
  static const bool has = [] {
    constexpr int kNeeded = dnnl_cpu_isa_avx512_core_bf16;
    if ((static_cast<int>(dnnl_get_effective_cpu_isa()) & kNeeded) != kNeeded) return false;
    try {
      return std::ranges::all_of(kTried, [](const Tried& sizes) { return is_right(sizes); });
    } catch (const dnnl::error&) {
      return false;
    }
  }();
  return has;
}

Precision best_precision(Device device) {
  return device == Device::cuda ? Precision::bfloat16 : best_precision();
}
Precision best_precision() { return has_bfloat16() ? Precision::bfloat16 : Precision::float32; }

}  // namespace copse
