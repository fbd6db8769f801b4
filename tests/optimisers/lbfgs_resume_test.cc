// A run that was interrupted and resumed takes the very steps of one that was not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/test_settings.h"
#include "optimisers/lbfgs.h"
#include "optimisers/minimisation_problems.h"

namespace copse {
namespace {

using testing::AsFunction;
using testing::case_generator;
using testing::case_name;
using testing::LogisticRegression;
using testing::Rosenbrock;
using testing::scaled;

struct Snapshot {
  LbfgsIterate iterate;
  LbfgsProgress progress;
  Lbfgs::Status status;
};

Snapshot snapshot_of(const Lbfgs& run) {
  return {{{run.x().begin(), run.x().end()}, {run.gradient().begin(), run.gradient().end()}},
          run.progress(),
          run.status()};
}

void expect_equal(const Snapshot& actual, const Snapshot& expected) {
  EXPECT_EQ(actual.iterate.x, expected.iterate.x);
  EXPECT_EQ(actual.iterate.gradient, expected.iterate.gradient);
  EXPECT_EQ(actual.progress.iterations, expected.progress.iterations);
  EXPECT_EQ(actual.progress.evaluations, expected.progress.evaluations);
  EXPECT_EQ(actual.progress.value, expected.progress.value);
  EXPECT_EQ(actual.progress.step, expected.progress.step);
  EXPECT_EQ(actual.progress.earlier_values, expected.progress.earlier_values);
  EXPECT_EQ(actual.status, expected.status);
}

std::vector<LbfgsIterate> last_iterates(const std::vector<Snapshot>& run, std::size_t end, int history) {
  const std::size_t count = std::min(end, static_cast<std::size_t>(history) + 1);
  std::vector<LbfgsIterate> iterates;
  for (std::size_t k = end - count; k < end; ++k) iterates.push_back(run[k].iterate);
  return iterates;
}

template <class Problem>
std::vector<Snapshot> uninterrupted_run(const Problem& problem, TaskPool& pool, const LbfgsOptions& options,
                                        const std::vector<float>& start, int most) {
  AsFunction function(problem);
  Lbfgs run(function, pool, options, start);
  std::vector<Snapshot> snapshots{snapshot_of(run)};
  while (run.status() == Lbfgs::Status::running && most-- > 0) {
    run.iterate();
    snapshots.push_back(snapshot_of(run));
  }
  return snapshots;
}

// Returns the run.
template <class Problem>
std::vector<Snapshot> expect_resumable_everywhere(const Problem& problem, const LbfgsOptions& options,
                                                  const std::vector<float>& start, int most) {
  TaskPool pool(1);
  const std::vector<Snapshot> expected = uninterrupted_run(problem, pool, options, start, most);
  for (std::size_t begin = 1; begin < expected.size(); ++begin) {
    SCOPED_TRACE("resumed after iteration " + std::to_string(begin - 1));
    AsFunction function(problem);
    Lbfgs run(function, pool, options, last_iterates(expected, begin, options.history),
              expected[begin - 1].progress);
    EXPECT_EQ(function.evaluations(), 0);
    expect_equal(snapshot_of(run), expected[begin - 1]);
    for (std::size_t k = begin; k < expected.size(); ++k) {
      run.iterate();
      expect_equal(snapshot_of(run), expected[k]);
      if (::testing::Test::HasFailure()) return expected;
    }
  }
  return expected;
}

TEST(LbfgsResume, AfterEveryIteration) {
  for (int number = 0; number < scaled(12); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const LogisticRegression problem(150 + number, 400, 0.1, random);
    LbfgsOptions options;
    options.history = 1 + number % 7;
    options.l1 = number % 2 == 0 ? 0.0 : 0.5;
    options.decrease_tolerance = 1e-4;
    options.decrease_period = number % 4;
    std::vector<float> start(problem.dimension());
    std::normal_distribution<float> normal;
    for (float& entry : start) entry = normal(random);
    expect_resumable_everywhere(problem, options, start, 40);
  }
}

TEST(LbfgsResume, UpToTheExhaustionOfThePrecision) {
  const Rosenbrock problem(4);
  LbfgsOptions options;
  options.gradient_tolerance = 0.0;
  options.decrease_tolerance = 0.0;
  for (const double l1 : {0.0, 0.01}) {
    options.l1 = l1;
    expect_resumable_everywhere(problem, options, {-1.2F, 1.0F, 2.0F, -3.0F, 0.0F, 0.0F, 0.5F, -1.0F}, 200);
  }
}

// The number of steps along which the gradient did not grow, as it does for convex functions.
int count_useless_pairs(const std::vector<Snapshot>& run) {
  int count = 0;
  for (std::size_t k = 1; k < run.size(); ++k) {
    double curvature = 0.0;
    for (std::size_t i = 0; i < run[k].iterate.x.size(); ++i) {
      curvature += (static_cast<double>(run[k].iterate.x[i]) - run[k - 1].iterate.x[i]) *
                   (static_cast<double>(run[k].iterate.gradient[i]) - run[k - 1].iterate.gradient[i]);
    }
    if (curvature <= 0.0) ++count;
  }
  return count;
}

// The cosine is concave on parts of the way, so that some pairs are of no use.
struct Waves {
  std::size_t dimension() const { return 9; }
  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < dimension(); ++i) {
      value += 0.01 * x[i] * x[i] - std::cos(x[i] * static_cast<double>(i + 1));
      gradient[i] = static_cast<Number>(0.02 * x[i] + static_cast<double>(i + 1) *
                                                          std::sin(x[i] * static_cast<double>(i + 1)));
    }
    return value;
  }
};

TEST(LbfgsResume, WithPairsThatAreOfNoUse) {
  const Waves problem;
  int useless_pairs = 0;
  for (int number = 0; number < std::max(20, scaled(40)); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    std::normal_distribution<float> normal;
    LbfgsOptions options;
    options.history = 3;
    options.max_line_search = 2;  // often too few for the condition that makes pairs usable
    options.l1 = number % 2 == 0 ? 0.0 : 0.3;
    std::vector<float> start(problem.dimension());
    for (float& entry : start) entry = 3.0F * normal(random);
    useless_pairs += count_useless_pairs(expect_resumable_everywhere(problem, options, start, 60));
  }
  EXPECT_GT(useless_pairs, 0);
}

TEST(LbfgsResume, TakesTheNewestOfTooManyIterates) {
  TaskPool pool(1);
  const Rosenbrock problem(2);
  LbfgsOptions options;
  options.history = 2;
  const std::vector<Snapshot> expected =
      uninterrupted_run(problem, pool, options, {-1.2F, 1.0F, 2.0F, -3.0F}, 12);
  AsFunction function(problem);
  Lbfgs run(function, pool, options, last_iterates(expected, 10, 20), expected[9].progress);
  run.iterate();
  expect_equal(snapshot_of(run), expected[10]);
}

TEST(LbfgsResume, AnIterationInWhichTheFunctionThrowsCanBeRepeated) {
  TaskPool pool(2);
  const Rosenbrock problem(2);
  const LbfgsOptions options;
  const std::vector<float> start{-1.2F, 1.0F, 2.0F, -3.0F};
  const std::vector<Snapshot> expected = uninterrupted_run(problem, pool, options, start, 30);
  AsFunction function(problem);
  Lbfgs run(function, pool, options, start);
  for (std::size_t k = 1; k < expected.size(); ++k) {
    function.fail_at(function.evaluations() + 1);
    EXPECT_THROW(run.iterate(), std::runtime_error);
    expect_equal(snapshot_of(run), expected[k - 1]);
    run.iterate();
    expect_equal(snapshot_of(run), expected[k]);
  }
}

}  // namespace
}  // namespace copse
