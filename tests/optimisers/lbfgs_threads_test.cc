// The number of threads does not change a single bit.
#include <gtest/gtest.h>

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

struct Result {
  std::vector<float> x;
  std::vector<double> values;
  std::vector<double> norms;
  friend bool operator==(const Result&, const Result&) = default;
};

Result run_with(int threads, const DiagonalQuadratic& problem, double l1) {
  TaskPool pool(threads);
  AsFunction function(problem);
  LbfgsOptions options;
  options.history = 4;
  options.l1 = l1;
  Lbfgs run(function, pool, options, std::vector<float>(problem.dimension(), 0.1F));
  Result result;
  for (int k = 0; k < 12; ++k) {
    run.iterate();
    result.values.push_back(run.progress().value);
    result.norms.push_back(run.gradient_norm());
    result.norms.push_back(run.x_norm());
  }
  result.x.assign(run.x().begin(), run.x().end());
  return result;
}

TEST(LbfgsThreads, GiveTheSameBits) {
  int number = 0;
  // Less than a chunk, chunks and a remainder, chunks exactly.
  for (const std::size_t dimension : {std::size_t{1001}, std::size_t{200003}, std::size_t{4} << 15}) {
    for (const double l1 : {0.0, 0.3}) {
      SCOPED_TRACE(case_name(number));
      std::mt19937_64 random = case_generator(number++);
      const DiagonalQuadratic problem(dimension, 1000.0, random);
      const Result expected = run_with(1, problem, l1);
      EXPECT_EQ(run_with(2, problem, l1), expected);
      EXPECT_EQ(run_with(3, problem, l1), expected);
    }
  }
}

}  // namespace
}  // namespace copse
