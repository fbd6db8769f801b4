// The passes over vectors on every instruction set of the machine, against loops in double precision.
#include "optimisers/lbfgs_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "every_simd_target.h"
#include "inference/test_settings.h"

namespace copse::testing {
namespace {

constexpr std::size_t kSize = 72;

std::vector<float> random_vector(std::mt19937_64& random) {
  std::vector<float> values(kSize);
  for (float& value : values) {
    value = random() % 5 == 0 ? 0.0F : std::normal_distribution<float>()(random);
  }
  return values;
}

TEST(LbfgsKernels, ProductsAreThoseOfAPlainLoop) {
  on_every_simd_target([] {
    std::mt19937_64 random = case_generator(1);
    const std::vector<float> a = random_vector(random);
    const std::vector<float> b = random_vector(random);
    for (const VectorRange range : {VectorRange{0, kSize}, VectorRange{8, 40}, VectorRange{16, 16}}) {
      double expected = 3.0;
      for (std::size_t k = range.begin; k < range.end; ++k) expected += double{a[k]} * double{b[k]};
      double sum = 3.0;
      add_product(a.data(), b.data(), range, &sum);
      EXPECT_NEAR(sum, expected, 1e-9);
    }
  });
}

struct Pass {
  std::vector<double> products;
  std::vector<double> sums;
  std::vector<double> trial_sums;
  std::vector<float> direction;
  std::vector<float> trial;
  std::vector<float> second_trial;
};

Pass run(double l1) {
  std::mt19937_64 random = case_generator(2);
  std::vector<std::vector<float>> vectors;
  for (int k = 0; k < 6; ++k) vectors.push_back(random_vector(random));
  const std::vector<IterateView> iterates = {{vectors[0].data(), vectors[1].data()},
                                             {vectors[2].data(), vectors[3].data()},
                                             {vectors[4].data(), vectors[5].data()}};
  Pass pass;
  const VectorRange range{0, kSize};
  pass.products.assign(kNewestSums + 2 * kPairSums, 0.0);
  add_newest_products(iterates, l1, range, pass.products.data());
  const DirectionWeights weights{-0.7, {{0.2, -0.1}, {0.05, 0.3}}};
  pass.direction.resize(kSize);
  pass.trial.resize(kSize);
  pass.second_trial.resize(kSize);
  pass.sums.assign(kTrialSums, 0.0);
  pass.trial_sums.assign(kTrialSums, 0.0);
  write_direction(iterates, l1, weights, 0.5, range, pass.direction.data(), pass.trial.data(),
                  pass.sums.data());
  write_trial(iterates.back(), l1, pass.direction.data(), 0.25, range, pass.second_trial.data(),
              pass.trial_sums.data());
  if (l1 > 0.0) return pass;
  // Without a penalty all of it is plain algebra.
  double step_square = 0.0;
  for (std::size_t k = 0; k < kSize; ++k) {
    const auto pair = [&](std::size_t j) {
      return std::pair{double{vectors[2 * j + 2][k]} - vectors[2 * j][k],
                       double{vectors[2 * j + 3][k]} - vectors[2 * j + 1][k]};
    };
    const auto [s0, y0] = pair(0);
    const auto [s1, y1] = pair(1);
    step_square += s1 * s1;
    const double direction = -0.7 * vectors[5][k] + 0.2 * s0 - 0.1 * y0 + 0.05 * s1 + 0.3 * y1;
    EXPECT_NEAR(pass.direction[k], direction, 1e-5);
    EXPECT_NEAR(pass.trial[k], vectors[4][k] + 0.5 * direction, 1e-5);
    EXPECT_NEAR(pass.second_trial[k], vectors[4][k] + 0.25 * direction, 1e-5);
  }
  EXPECT_NEAR(pass.products[kStepSquare], step_square, 1e-4);
  return pass;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(found[k], expected[k], 1e-5 * std::max(1.0, std::abs(expected[k]))) << k;
  }
}
void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  expect_near(std::vector<double>(found.begin(), found.end()),
              std::vector<double>(expected.begin(), expected.end()));
}

TEST(LbfgsKernels, PassesAgreeOnAllTargets) {
  for (const double l1 : {0.0, 0.3}) {
    std::optional<Pass> first;
    on_every_simd_target([&] {
      const Pass pass = run(l1);
      if (!first) first = pass;
      expect_near(pass.products, first->products);
      expect_near(pass.sums, first->sums);
      expect_near(pass.trial_sums, first->trial_sums);
      expect_near(pass.direction, first->direction);
      expect_near(pass.trial, first->trial);
      expect_near(pass.second_trial, first->second_trial);
    });
  }
}

}  // namespace
}  // namespace copse::testing
