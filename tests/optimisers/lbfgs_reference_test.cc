// The minimiser compared with liblbfgs, an independent implementation in doubles.
#include <gtest/gtest.h>
#include <lbfgs.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "inference/test_settings.h"
#include "optimisers/lbfgs.h"
#include "optimisers/minimisation_problems.h"

namespace copse {
namespace {

using testing::AsFunction;
using testing::case_generator;
using testing::case_name;
using testing::DiagonalQuadratic;
using testing::LogisticRegression;
using testing::Rosenbrock;
using testing::scaled;

struct Descent {
  std::vector<double> x;
  double value = 0.0;  // with the penalty
  // The number of evaluations and the value after each iteration.
  struct Iteration {
    long evaluations;
    double value;
  };
  std::vector<Iteration> iterations;

  long evaluations_until(double wanted) const {
    for (const Iteration& iteration : iterations) {
      if (iteration.value <= wanted) return iteration.evaluations;
    }
    ADD_FAILURE() << "the value " << value << " does not reach " << wanted;
    return std::numeric_limits<long>::max() / 2;
  }
};

template <class Problem>
struct Reference {
  const Problem& problem;
  Descent descent;
  long evaluations = 0;

  static lbfgsfloatval_t evaluate(void* instance, const lbfgsfloatval_t* x, lbfgsfloatval_t* gradient, int,
                                  lbfgsfloatval_t) {
    auto* self = static_cast<Reference*>(instance);
    ++self->evaluations;
    return self->problem.evaluate(x, gradient);
  }
  // What it returns in the end can be NaN: it divides by the curvature even when a step changed nothing.
  static int record(void* instance, const lbfgsfloatval_t* x, const lbfgsfloatval_t*, lbfgsfloatval_t value,
                    lbfgsfloatval_t, lbfgsfloatval_t, lbfgsfloatval_t, int dimension, int, int) {
    auto* self = static_cast<Reference*>(instance);
    self->descent.iterations.push_back({self->evaluations, value});
    self->descent.x.assign(x, x + dimension);
    self->descent.value = value;
    return 0;
  }
};

template <class Problem>
Descent run_reference(const Problem& problem, double l1, const std::vector<float>& start) {
  const std::unique_ptr<lbfgsfloatval_t, decltype(&lbfgs_free)> x(
      lbfgs_malloc(static_cast<int>(start.size())), &lbfgs_free);
  std::copy(start.begin(), start.end(), x.get());
  lbfgs_parameter_t parameters;
  lbfgs_parameter_init(&parameters);
  parameters.m = LbfgsOptions().history;
  parameters.epsilon = 1e-6;
  if (l1 > 0.0) {
    parameters.orthantwise_c = l1;
    parameters.orthantwise_end = static_cast<int>(start.size());
    parameters.linesearch = LBFGS_LINESEARCH_BACKTRACKING;
  }
  Reference<Problem> reference{problem, {}, 0};
  lbfgs(static_cast<int>(start.size()), x.get(), nullptr, &Reference<Problem>::evaluate,
        &Reference<Problem>::record, &reference, &parameters);
  return reference.descent;
}

template <class Problem>
Descent run_copse(const Problem& problem, double l1, const std::vector<float>& start) {
  TaskPool pool(1);
  AsFunction function(problem);
  LbfgsOptions options;
  options.l1 = l1;
  options.gradient_tolerance = 1e-6;
  options.decrease_tolerance = 0.0;
  Lbfgs minimiser(function, pool, options, start);
  Descent descent;
  while (minimiser.iterate() == Lbfgs::Status::running) {
    descent.iterations.push_back({minimiser.progress().evaluations, minimiser.progress().value});
  }
  descent.value = minimiser.progress().value;
  descent.iterations.push_back({minimiser.progress().evaluations, descent.value});
  descent.x.assign(minimiser.x().begin(), minimiser.x().end());
  return descent;
}

// Evaluations until the value is within 1e-6 of the lower of both minima, relative to it or, where it is
// small, to 1; over all cases.
struct Evaluations {
  long copse = 0;
  long reference = 0;

  void add(const Descent& ours, const Descent& theirs) {
    const double lowest = std::min(ours.value, theirs.value);
    const double wanted = lowest + 1e-6 * std::max(1.0, std::abs(lowest));
    copse += ours.evaluations_until(wanted);
    reference += theirs.evaluations_until(wanted);
  }
  void expect_about_as_few() const {
    std::cout << "evaluations: " << copse << ", liblbfgs " << reference << std::endl;
    EXPECT_LE(static_cast<double>(copse), 1.3 * static_cast<double>(reference));
  }
};

std::vector<float> random_start(std::size_t dimension, std::mt19937_64& random) {
  std::normal_distribution<float> normal;
  std::vector<float> start(dimension);
  for (float& entry : start) entry = 0.3F * normal(random);
  return start;
}

TEST(LbfgsReference, LogisticRegression) {
  Evaluations evaluations;
  for (int number = 0; number < scaled(20); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const LogisticRegression problem(100 + random() % 900, 2000, number % 2 == 0 ? 1.0 : 0.01, random);
    const std::vector<float> start = random_start(problem.dimension(), random);
    const Descent ours = run_copse(problem, 0.0, start);
    const Descent theirs = run_reference(problem, 0.0, start);
    EXPECT_NEAR(ours.value, theirs.value, 1e-8 * theirs.value);
    evaluations.add(ours, theirs);
  }
  evaluations.expect_about_as_few();
}

TEST(LbfgsReference, PenalisedLogisticRegression) {
  Evaluations evaluations;
  for (int number = 0; number < scaled(20); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const LogisticRegression problem(100 + random() % 900, 2000, 0.01, random);
    const double l1 = number % 2 == 0 ? 0.5 : 3.0;
    const std::vector<float> start = random_start(problem.dimension(), random);
    const Descent ours = run_copse(problem, l1, start);
    const Descent theirs = run_reference(problem, l1, start);
    EXPECT_NEAR(ours.value, theirs.value, 1e-6 * theirs.value);
    int different = 0;
    int zeros = 0;
    for (std::size_t i = 0; i < ours.x.size(); ++i) {
      if ((ours.x[i] == 0.0) != (theirs.x[i] == 0.0)) {
        ++different;
        EXPECT_LT(std::max(std::abs(ours.x[i]), std::abs(theirs.x[i])), 1e-2);
      }
      if (ours.x[i] == 0.0) ++zeros;
    }
    EXPECT_GT(zeros, 0);
    EXPECT_LE(different, 0.01 * static_cast<double>(ours.x.size()));
    evaluations.add(ours, theirs);
  }
  evaluations.expect_about_as_few();
}

TEST(LbfgsReference, Quadratics) {
  Evaluations evaluations;
  for (int number = 0; number < scaled(20); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const DiagonalQuadratic problem(300, 1e3, random);
    const std::vector<float> start = random_start(problem.dimension(), random);
    const Descent ours = run_copse(problem, 0.0, start);
    const Descent theirs = run_reference(problem, 0.0, start);
    EXPECT_LT(ours.value, 1e-6);
    evaluations.add(ours, theirs);
  }
  evaluations.expect_about_as_few();
}

TEST(LbfgsReference, CurvedValleys) {
  Evaluations evaluations;
  for (int number = 0; number < scaled(50); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const Rosenbrock problem(3);
    std::vector<float> start = random_start(problem.dimension(), random);
    for (float& entry : start) entry *= 4;
    const Descent ours = run_copse(problem, 0.0, start);
    const Descent theirs = run_reference(problem, 0.0, start);
    EXPECT_LT(ours.value, 1e-6);
    evaluations.add(ours, theirs);
  }
  evaluations.expect_about_as_few();
}

}  // namespace
}  // namespace copse
