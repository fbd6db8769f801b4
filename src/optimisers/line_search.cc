#include "optimisers/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace copse {
namespace {

// The usual values for quasi-Newton directions: nearly every step of length 1 is good.
constexpr double kSufficientDecrease = 1e-4;
constexpr double kFlatSlope = 0.9;

constexpr double kLeastShrink = 0.1;
constexpr double kLeastGrowth = 1.5;
constexpr double kMostGrowth = 10.0;

}  // namespace

LineSearch::LineSearch(double start_value, double start_slope, double first_step, bool wants_flat_slope)
    : start_{0.0, start_value, start_slope},
      low_(start_),
      high_(start_),
      wants_flat_slope_(wants_flat_slope),
      step_(first_step) {}

bool LineSearch::is_step_worthwhile() const {
  const double gain = std::abs((step_ - low_.step) * low_.slope);
  return gain > std::numeric_limits<double>::epsilon() * std::abs(start_.value);
}

bool LineSearch::accepts(double value, double slope, double predicted_change) {
  Point trial{step_, value, slope};
  if (!std::isfinite(value) || !std::isfinite(slope)) trial.value = std::numeric_limits<double>::infinity();

  const double low_enough = start_.value + kSufficientDecrease * predicted_change;
  if (trial.value > low_enough || trial.value >= low_.value) {
    high_ = trial;
    enclosed_ = true;
  } else if (!wants_flat_slope_ || std::abs(slope) <= kFlatSlope * std::abs(start_.slope)) {
    return true;
  } else {
    const Point before = std::exchange(low_, trial);
    const double side_of_high = enclosed_ ? high_.step - low_.step : 1.0;
    if (slope * side_of_high > 0.0) {
      high_ = before;
      enclosed_ = true;
    }
    if (!enclosed_) {
      step_ = extrapolated(before);
      return false;
    }
  }
  step_ = interpolated();
  return false;
}

// The lowest point of the parabola through both ends with the slope of the lower. Since that slope leads
// towards the higher end, the point is in the lower's half.
double LineSearch::interpolated() const {
  const double width = high_.step - low_.step;
  const double linear = low_.slope * width;
  const double quadratic = high_.value - low_.value - linear;
  return low_.step + std::clamp(-linear / (2.0 * quadratic), kLeastShrink, 0.5) * width;
}

// Where the slope would be 0 if it went on changing like this.
double LineSearch::extrapolated(const Point& before) const {
  const double flattening = (low_.slope - before.slope) / (low_.step - before.step);
  const double flat = flattening > 0.0 ? low_.step - low_.slope / flattening : kMostGrowth * low_.step;
  return std::clamp(flat, kLeastGrowth * low_.step, kMostGrowth * low_.step);
}

}  // namespace copse
