#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "optimisers/fixed_point.h"
#include "parallel/team.h"

namespace copse {

// A sum of numbers that does not depend on their order, nor on which process has them: whole parts and
// fractions are added up as integers.
class OrderlessSum {
 public:
  void add(double number) {
    const double whole = std::floor(number);
    if (!(std::abs(whole) < kLargest)) {
      ++integers_[kInfinite];
      return;
    }
    integers_[kWhole] += static_cast<std::int64_t>(whole);
    integers_[kFraction] += to_fixed_point(number - whole);
  }

  // The sum of the sums of all processes.
  void add_up(Team& team) { team.add_up(integers_); }

  // Infinite if a number was not finite, or near that.
  double value() const {
    if (integers_[kInfinite] > 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(integers_[kWhole]) + from_fixed_point(integers_[kFraction]);
  }

 private:
  enum Part : std::size_t { kWhole, kFraction, kInfinite, kParts };
  static constexpr double kLargest = 4e9;  // of such numbers, two billion can be added up

  std::array<std::int64_t, kParts> integers_{};
};

inline double orderless_sum(Team& team, std::span<const double> numbers) {
  OrderlessSum sum;
  for (const double number : numbers) sum.add(number);
  sum.add_up(team);
  return sum.value();
}

}  // namespace copse
