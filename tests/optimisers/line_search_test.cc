#include "optimisers/line_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "inference/test_settings.h"

namespace copse {
namespace {

using testing::case_generator;
using testing::case_name;
using testing::scaled;

struct OneDimensional {
  double value;
  double slope;
};

// Convex, with its minimum anywhere between 1e-3 and 1e3, flat or steep; from `wall` on it does not exist.
struct Basin {
  double minimum;
  double sharpness;
  double wall;
  OneDimensional operator()(double step) const {
    if (step >= wall) return {std::nan(""), std::nan("")};
    const double away = (step - minimum) / minimum;
    const double root = std::sqrt(1.0 + sharpness * away * away);
    return {root, sharpness * away / root / minimum};
  }
};

TEST(LineSearch, FindsAStepWithTheStrongWolfeConditions) {
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    std::uniform_real_distribution<double> exponent(-3.0, 3.0);
    Basin function{std::pow(10.0, exponent(random)), std::pow(10.0, exponent(random)),
                   std::numeric_limits<double>::infinity()};
    if (number % 3 == 0) function.wall = function.minimum * (1.0 + std::pow(10.0, exponent(random)));
    const OneDimensional start = function(0.0);
    LineSearch search(start.value, start.slope, 1.0, true);
    bool accepted = false;
    for (int tries = 0; tries < 40 && !accepted; ++tries) {
      ASSERT_TRUE(search.is_step_worthwhile());
      const double step = search.step();
      const OneDimensional trial = function(step);
      accepted = search.accepts(trial.value, trial.slope, step * start.slope);
      if (!accepted) continue;
      EXPECT_LE(trial.value, start.value + 1e-4 * step * start.slope);
      EXPECT_LE(std::abs(trial.slope), 0.9 * std::abs(start.slope));
    }
    EXPECT_TRUE(accepted);
  }
}

TEST(LineSearch, BacktracksToADecreaseWithoutSlopes) {
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    std::uniform_real_distribution<double> exponent(-3.0, 3.0);
    const Basin function{std::pow(10.0, exponent(random)), std::pow(10.0, exponent(random)),
                         number % 2 == 0 ? std::numeric_limits<double>::infinity() : 0.5};
    const OneDimensional start = function(0.0);
    LineSearch search(start.value, start.slope, 1.0, false);
    bool accepted = false;
    for (int tries = 0; tries < 40 && !accepted; ++tries) {
      const double step = search.step();
      const OneDimensional trial = function(step);
      const bool low = trial.value <= start.value + 1e-4 * step * start.slope;
      accepted = search.accepts(trial.value, trial.slope, step * start.slope);
      EXPECT_EQ(accepted, low);
      if (accepted) continue;
      EXPECT_LE(search.step(), 0.5 * step);
      EXPECT_GE(search.step(), 0.0999 * step);
    }
    EXPECT_TRUE(accepted);
  }
}

TEST(LineSearch, RemembersTheLowestPoint) {
  LineSearch search(10.0, -1.0, 1.0, true);
  EXPECT_EQ(search.lowest().step, 0.0);
  EXPECT_FALSE(search.accepts(9.0, -0.99, -1.0)) << "too steep";
  EXPECT_EQ(search.lowest().step, 1.0);
  EXPECT_GT(search.step(), 1.0);
  EXPECT_FALSE(search.accepts(9.5, 2.0, -search.step())) << "too high";
  EXPECT_EQ(search.lowest().step, 1.0);
}

TEST(LineSearch, AStepThatCannotBeSeenIsNotWorthwhile) {
  EXPECT_TRUE(LineSearch(1e6, -1e-8, 1.0, true).is_step_worthwhile());
  EXPECT_FALSE(LineSearch(1e6, -1e-11, 1.0, true).is_step_worthwhile());
  EXPECT_TRUE(LineSearch(0.0, -1e-300, 1.0, true).is_step_worthwhile());
}

}  // namespace
}  // namespace copse
