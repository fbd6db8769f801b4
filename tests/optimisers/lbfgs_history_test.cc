// Directions compared with those of the dense BFGS matrix, written from its definition.
#include "optimisers/lbfgs_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "inference/test_settings.h"

namespace copse {
namespace {

using testing::case_generator;
using testing::case_name;
using testing::scaled;

using Vector = std::vector<double>;

double product(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vector difference(const std::vector<float>& to, const std::vector<float>& from) {
  Vector result(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) result[i] = to[i] - from[i];
  return result;
}

// H becomes (1 - s y' / s y) H (1 - y s' / s y) + s s' / s y.
void update(std::vector<Vector>& inverse_hessian, const Vector& s, const Vector& y) {
  const double curvature = product(s, y);
  const std::size_t size = s.size();
  Vector h_y(size);
  for (std::size_t i = 0; i < size; ++i) h_y[i] = product(inverse_hessian[i], y);
  const double y_h_y = product(y, h_y);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      inverse_hessian[i][j] +=
          (1.0 + y_h_y / curvature) * s[i] * s[j] / curvature - (h_y[i] * s[j] + s[i] * h_y[j]) / curvature;
    }
  }
}

struct Pair {
  Vector s;
  Vector y;
};

Vector dense_direction(const std::vector<Pair>& pairs, const Vector& gradient) {
  const Pair& newest = pairs.back();
  const double scale = product(newest.s, newest.y) / product(newest.y, newest.y);
  std::vector<Vector> inverse_hessian(gradient.size(), Vector(gradient.size()));
  for (std::size_t i = 0; i < gradient.size(); ++i) inverse_hessian[i][i] = scale;
  for (const Pair& pair : pairs) update(inverse_hessian, pair.s, pair.y);
  Vector direction(gradient.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) direction[i] = -product(inverse_hessian[i], gradient);
  return direction;
}

double pseudo_gradient(double x, double gradient, double l1) {
  if (x != 0.0) return gradient + std::copysign(l1, x);
  if (gradient + l1 < 0.0) return gradient + l1;
  if (gradient - l1 > 0.0) return gradient - l1;
  return 0.0;
}

// Iterates whose gradients are those of a quadratic function, but for noise and, in every fourth step, for
// the sign: such pairs must be left out.
std::vector<LbfgsIterate> random_iterates(std::size_t dimension, std::size_t count, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<LbfgsIterate> iterates(count);
  for (std::size_t k = 0; k < count; ++k) {
    LbfgsIterate& iterate = iterates[k];
    for (std::size_t i = 0; i < dimension; ++i) {
      const double step = normal(random);
      const double change =
          (k % 4 == 3 ? -1.0 : 1.0) * (1.0 + static_cast<double>(i % 3)) * step + 0.1 * normal(random);
      iterate.x.push_back(static_cast<float>(random() % 4 == 0 ? 0.0 : step));
      iterate.gradient.push_back(static_cast<float>(change));
      if (k > 0) iterate.x[i] += iterates[k - 1].x[i];
      if (k > 0) iterate.gradient[i] += iterates[k - 1].gradient[i];
    }
    if (k + 1 == count) {
      for (std::size_t i = 0; i < dimension; i += 3) iterate.x[i] = 0.0F;
    }
  }
  return iterates;
}

std::vector<Pair> usable_pairs(const std::vector<LbfgsIterate>& iterates) {
  std::vector<Pair> pairs;
  for (std::size_t k = 1; k < iterates.size(); ++k) {
    Pair pair{difference(iterates[k].x, iterates[k - 1].x),
              difference(iterates[k].gradient, iterates[k - 1].gradient)};
    if (product(pair.s, pair.y) > 0.0) pairs.push_back(std::move(pair));
  }
  return pairs;
}

void expect_direction(double l1, int cases) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(cases); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const std::size_t dimension = 1 + random() % 40;
    const int history = 1 + static_cast<int>(random() % 6);
    const std::size_t count = 2 + random() % static_cast<std::size_t>(history);
    const std::vector<LbfgsIterate> iterates = random_iterates(dimension, count, random);
    LbfgsHistory vectors(pool, dimension, history, l1, iterates);
    for (std::size_t k = 0; k < count; ++k) vectors.accept_trial();

    const LbfgsIterate& newest = iterates.back();
    Vector gradient(dimension);
    for (std::size_t i = 0; i < dimension; ++i) {
      gradient[i] = pseudo_gradient(newest.x[i], newest.gradient[i], l1);
    }
    EXPECT_NEAR(vectors.gradient_norm(), std::sqrt(product(gradient, gradient)),
                1e-12 * vectors.gradient_norm());

    const std::vector<Pair> pairs = usable_pairs(iterates);
    ASSERT_EQ(vectors.has_usable_pair(), !pairs.empty());
    if (pairs.empty()) continue;
    const Vector direction = dense_direction(pairs, gradient);
    const double longest = std::abs(*std::max_element(
        direction.begin(), direction.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    for (const double step : {1.0, 0.5}) {
      const LbfgsHistory::Trial trial =
          step == 1.0 ? vectors.aim_quasi_newton(1.0) : vectors.move_trial(step);
      double slope = 0.0;
      double penalty = 0.0;
      for (std::size_t i = 0; i < dimension; ++i) {
        const double descent = l1 > 0.0 && direction[i] * gradient[i] >= 0.0 ? 0.0 : direction[i];
        const double orthant = newest.x[i] != 0.0F ? newest.x[i] : -gradient[i];
        double expected = newest.x[i] + step * descent;
        if (l1 > 0.0 && expected * orthant <= 0.0) expected = 0.0;
        EXPECT_NEAR(vectors.gather_trial_x()[i], expected, 1e-6 * std::max(longest, std::abs(expected)));
        slope += descent * gradient[i];
        penalty += l1 * std::abs(expected);
      }
      EXPECT_EQ(trial.slope<0.0, vectors.gradient_norm()> 0.0);
      EXPECT_NEAR(trial.slope, slope, 1e-5 * vectors.gradient_norm() * longest);
      EXPECT_NEAR(trial.penalty, penalty, 1e-5 * (penalty + longest));
    }
  }
}

TEST(LbfgsHistory, DirectionsAreThoseOfTheDenseMatrix) { expect_direction(0.0, 300); }

TEST(LbfgsHistory, DirectionsKeepToTheOrthant) { expect_direction(0.7, 300); }

}  // namespace
}  // namespace copse
