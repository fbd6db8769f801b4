#pragma once

#include <cmath>
#include <cstdint>

namespace copse {

// Gradients are summed as integers: sums of integers do not depend on the order of their terms, so neither
// the number of threads nor chance changes a single bit of the result. One unit is far below the precision of
// the marginals, and there is room for a billion words.
inline constexpr double kFixedPointUnit = 1.0 / (std::int64_t{1} << 32);

inline std::int64_t to_fixed_point(double value) {
  return static_cast<std::int64_t>(std::nearbyint(value / kFixedPointUnit));
}
inline double from_fixed_point(std::int64_t value) { return static_cast<double>(value) * kFixedPointUnit; }

}  // namespace copse
