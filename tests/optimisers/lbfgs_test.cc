#include "optimisers/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "inference/test_settings.h"
#include "optimisers/minimisation_problems.h"

namespace copse {
namespace {

using testing::AsFunction;
using testing::case_generator;
using testing::case_name;
using testing::DenseQuadratic;
using testing::DiagonalQuadratic;
using testing::LogisticRegression;
using testing::minimise;
using testing::Rosenbrock;
using testing::scaled;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Goes on until the precision is exhausted.
LbfgsOptions without_tolerance() {
  LbfgsOptions options;
  options.gradient_tolerance = 0.0;
  options.decrease_tolerance = 0.0;
  return options;
}

template <class Problem>
double distance_from_minimum(const Problem& problem, std::span<const float> x) {
  double square = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) square += std::pow(x[i] - problem.minimum()[i], 2);
  return std::sqrt(square);
}

TEST(Lbfgs, FindsTheMinimumOfDenseQuadratics) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(60); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const DenseQuadratic problem(1 + random() % 60, 0.1, random);
    AsFunction function(problem);
    LbfgsOptions options;
    options.history = 1 + static_cast<int>(random() % 10);
    options.gradient_tolerance = 1e-5;
    options.decrease_tolerance = 0.0;
    Lbfgs run(function, pool, options, std::vector<float>(problem.dimension()));
    EXPECT_EQ(minimise(run), Lbfgs::Status::converged);
    EXPECT_LE(run.gradient_norm(), 1e-5 * std::max(1.0, run.x_norm()));
    EXPECT_LT(distance_from_minimum(problem, run.x()), 2e-4 * run.x_norm());
    EXPECT_EQ(run.progress().evaluations, function.evaluations());
  }
}

TEST(Lbfgs, FindsTheMinimumOfIllConditionedQuadratics) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(10); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const DiagonalQuadratic problem(500, 1e5, random);
    AsFunction function(problem);
    Lbfgs run(function, pool, without_tolerance(), std::vector<float>(problem.dimension()));
    minimise(run, 3000);
    EXPECT_LT(distance_from_minimum(problem, run.x()), 1e-3 * run.x_norm());
  }
}

TEST(Lbfgs, FollowsCurvedValleys) {
  TaskPool pool(1);
  const Rosenbrock problem(3);
  AsFunction function(problem);
  LbfgsOptions options = without_tolerance();
  options.gradient_tolerance = 1e-5;
  Lbfgs run(function, pool, options, {-1.2F, 1.0F, 2.0F, -3.0F, 0.0F, 0.0F});
  EXPECT_EQ(minimise(run), Lbfgs::Status::converged);
  for (const float entry : run.x()) EXPECT_NEAR(entry, 1.0F, 1e-4F);
  EXPECT_LT(run.progress().evaluations, 200);
}

TEST(Lbfgs, EveryStepDecreasesTheValueAndMostTakeOneEvaluation) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(20); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const LogisticRegression problem(200, 1000, 0.1, random);
    AsFunction function(problem);
    LbfgsOptions options;
    options.decrease_tolerance = 0.0;
    options.l1 = number % 2 == 0 ? 0.0 : 1.0;
    Lbfgs run(function, pool, options, std::vector<float>(problem.dimension()));
    long single = 0;
    while (run.status() == Lbfgs::Status::running) {
      const LbfgsProgress before = run.progress();
      run.iterate();
      if (run.progress().iterations == before.iterations) break;
      EXPECT_LT(run.progress().value, before.value);
      if (run.progress().evaluations == before.evaluations + 1) ++single;
    }
    EXPECT_GT(run.progress().iterations, 10);
    EXPECT_GT(static_cast<double>(single), 0.8 * static_cast<double>(run.progress().iterations));
  }
}

TEST(Lbfgs, SoftThresholdsSeparableQuadratics) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(20); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    // With curvature 1 everywhere, the minimum with the penalty is known in closed form.
    const DiagonalQuadratic problem(100, 1.0, random);
    AsFunction function(problem);
    LbfgsOptions options = without_tolerance();
    options.gradient_tolerance = 1e-6;
    options.l1 = 0.7;
    std::vector<float> start(problem.dimension());
    std::normal_distribution<float> normal;
    for (float& entry : start) entry = normal(random);
    Lbfgs run(function, pool, options, start);
    EXPECT_EQ(minimise(run), Lbfgs::Status::converged);
    double value = 0.0;
    for (std::size_t i = 0; i < problem.dimension(); ++i) {
      const double center = problem.minimum()[i];
      const double expected = std::copysign(std::max(0.0, std::abs(center) - options.l1), center);
      EXPECT_NEAR(run.x()[i], expected, 1e-5);
      EXPECT_EQ(run.x()[i] == 0.0F, expected == 0.0);
      value += 0.5 * std::pow(expected - center, 2) + options.l1 * std::abs(expected);
    }
    EXPECT_NEAR(run.progress().value, value, 1e-9 * value);
  }
}

TEST(Lbfgs, AHeavyPenaltyLeavesNothing) {
  TaskPool pool(1);
  std::mt19937_64 random = case_generator(0);
  const LogisticRegression problem(50, 200, 0.1, random);
  AsFunction function(problem);
  LbfgsOptions options;
  options.l1 = 1e4;
  Lbfgs run(function, pool, options, std::vector<float>(problem.dimension()));
  EXPECT_EQ(run.status(), Lbfgs::Status::converged) << "the pseudo-gradient at 0 is 0";
  Lbfgs elsewhere(function, pool, options, std::vector<float>(problem.dimension(), 0.5F));
  EXPECT_EQ(minimise(elsewhere), Lbfgs::Status::converged);
  EXPECT_EQ(elsewhere.x_norm(), 0.0);
}

TEST(Lbfgs, StopsWhenTheValueHardlyDecreases) {
  TaskPool pool(1);
  std::mt19937_64 random = case_generator(0);
  const LogisticRegression problem(200, 1000, 0.1, random);
  AsFunction function(problem);
  LbfgsOptions options;
  options.gradient_tolerance = 0.0;
  options.decrease_tolerance = 1e-3;
  options.decrease_period = 5;
  Lbfgs run(function, pool, options, std::vector<float>(problem.dimension()));
  std::vector<double> values{run.progress().value};
  while (run.iterate() == Lbfgs::Status::running) values.push_back(run.progress().value);
  values.push_back(run.progress().value);
  EXPECT_EQ(run.status(), Lbfgs::Status::converged);
  for (std::size_t k = 5; k < values.size(); ++k) {
    const bool hardly = values[k - 5] - values[k] < 1e-3 * values[k];
    EXPECT_EQ(hardly, k + 1 == values.size()) << "iteration " << k;
  }
  const long evaluations = function.evaluations();
  EXPECT_EQ(run.iterate(), Lbfgs::Status::converged);
  EXPECT_EQ(function.evaluations(), evaluations) << "a run that has ended does nothing";
}

TEST(Lbfgs, AnExhaustedPrecisionStallsWithinFewEvaluations) {
  TaskPool pool(1);
  for (const double l1 : {0.0, 0.5}) {
    std::mt19937_64 random = case_generator(0);
    const LogisticRegression problem(300, 1000, 0.1, random);
    AsFunction function(problem);
    LbfgsOptions options = without_tolerance();
    options.l1 = l1;
    Lbfgs run(function, pool, options, std::vector<float>(problem.dimension()));
    long before_last = 0;
    for (int k = 0; k < 5000 && run.status() == Lbfgs::Status::running; ++k) {
      before_last = run.progress().evaluations;
      run.iterate();
    }
    EXPECT_EQ(run.status(), Lbfgs::Status::stalled);
    EXPECT_LE(run.progress().evaluations - before_last, options.max_line_search);
    EXPECT_LT(run.gradient_norm(), 1e-4 * run.x_norm());
  }
}

TEST(Lbfgs, StartsAtAMinimum) {
  TaskPool pool(1);
  const Rosenbrock problem(1);
  AsFunction function(problem);
  Lbfgs run(function, pool, without_tolerance(), {1.0F, 1.0F});
  EXPECT_EQ(run.status(), Lbfgs::Status::converged);
  EXPECT_EQ(run.iterate(), Lbfgs::Status::converged);
  EXPECT_EQ(function.evaluations(), 1);
  EXPECT_EQ(run.progress().iterations, 0);
}

TEST(Lbfgs, NothingToMinimise) {
  TaskPool pool(2);
  const Rosenbrock problem(0);
  AsFunction function(problem);
  Lbfgs run(function, pool, {}, {});
  EXPECT_EQ(run.iterate(), Lbfgs::Status::converged);
  EXPECT_TRUE(run.x().empty());
}

// -log x + x, only for positive x, with a gradient that is not a number elsewhere.
struct Barrier {
  double outside = kInfinity;
  std::size_t dimension() const { return 1; }
  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    const double at = x[0];
    gradient[0] = static_cast<Number>(at > 0.0 ? 1.0 - 1.0 / at : std::nan(""));
    return at > 0.0 ? at - std::log(at) : outside;
  }
};

TEST(Lbfgs, WhereTheFunctionDoesNotExistTheStepWasTooLong) {
  TaskPool pool(1);
  // A finite value with a gradient that is not a number is no better, nor is minus infinity.
  for (const double outside : {kInfinity, -kInfinity, std::nan(""), -1000.0}) {
    const Barrier problem{outside};
    AsFunction function(problem);
    for (const double l1 : {0.0, 0.5}) {
      LbfgsOptions options = without_tolerance();
      options.gradient_tolerance = 1e-5;
      options.l1 = l1;
      Lbfgs run(function, pool, options, {0.01F});
      EXPECT_EQ(minimise(run), Lbfgs::Status::converged);
      EXPECT_NEAR(run.x()[0], 1.0 / (1.0 + l1), 1e-4);
      EXPECT_THROW(Lbfgs(function, pool, options, {-1.0F}), std::runtime_error);
      EXPECT_THROW(Lbfgs(function, pool, options, {0.0F}), std::runtime_error);
    }
  }
}

// Falls for ever: steps grow until x is no longer finite as a float.
struct Slope {
  std::size_t dimension() const { return 3; }
  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    double value = 0.0;
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(std::isfinite(x[i]));
      gradient[i] = -1;
      value -= x[i];
    }
    return value;
  }
};

TEST(Lbfgs, AnUnboundedFunctionIsFollowedAsFarAsFloatsReach) {
  TaskPool pool(1);
  const Slope problem;
  AsFunction function(problem);
  LbfgsOptions options = without_tolerance();
  options.max_line_search = 60;
  Lbfgs run(function, pool, options, std::vector<float>(3));
  minimise(run);
  EXPECT_LT(run.progress().value, -1e38);
  EXPECT_TRUE(std::isfinite(run.x_norm()));
}

// The value goes up although the gradient says that it goes down.
struct Liar {
  std::size_t dimension() const { return 1; }
  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    gradient[0] = -1;
    return 1.0 + std::abs(x[0]);
  }
};

TEST(Lbfgs, AWrongGradientStalls) {
  TaskPool pool(1);
  const Liar problem;
  AsFunction function(problem);
  LbfgsOptions options;
  options.max_line_search = 7;
  Lbfgs run(function, pool, options, {0.0F});
  EXPECT_EQ(run.iterate(), Lbfgs::Status::stalled);
  EXPECT_EQ(run.progress().evaluations, 8);
  EXPECT_EQ(run.progress().iterations, 0);
  EXPECT_EQ(run.x()[0], 0.0F);
}

TEST(Lbfgs, MistakesOfTheCaller) {
  TaskPool pool(1);
  const Rosenbrock problem(1);
  AsFunction function(problem);
  const auto start_with = [&](auto change) {
    LbfgsOptions options;
    change(options);
    Lbfgs(function, pool, options, {0.0F, 0.0F});
  };
  EXPECT_NO_THROW(start_with([](LbfgsOptions&) {}));
  EXPECT_THROW(start_with([](LbfgsOptions& options) { options.history = 0; }), std::invalid_argument);
  EXPECT_THROW(start_with([](LbfgsOptions& options) { options.l1 = -1.0; }), std::invalid_argument);
  EXPECT_THROW(start_with([](LbfgsOptions& options) { options.l1 = kInfinity; }), std::invalid_argument);
  EXPECT_THROW(start_with([](LbfgsOptions& options) { options.gradient_tolerance = std::nan(""); }),
               std::invalid_argument);
  EXPECT_THROW(start_with([](LbfgsOptions& options) { options.decrease_period = -1; }),
               std::invalid_argument);
  EXPECT_THROW(start_with([](LbfgsOptions& options) { options.max_line_search = 0; }), std::invalid_argument);
  EXPECT_THROW(Lbfgs(function, pool, {}, std::vector<float>(3)), std::invalid_argument);
  EXPECT_THROW(Lbfgs(function, pool, {}, std::vector<LbfgsIterate>(), {}), std::invalid_argument);
  EXPECT_THROW(Lbfgs(function, pool, {}, std::vector<LbfgsIterate>(1), {}), std::invalid_argument);
}

}  // namespace
}  // namespace copse
