#include "network/adam_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "every_simd_target.h"
#include "random_numbers.h"

namespace copse {
namespace {

using testing::normal_numbers;
using testing::on_every_simd_target;
using Numbers = std::vector<float>;

TEST(AdamKernels, StepsFollowTheDefinition) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t size = 1 + random() % 80;
      Numbers weights = normal_numbers(random, size);
      Numbers first(size, 0.0F), second(size, 0.0F), average = weights;
      std::vector<double> w(weights.begin(), weights.end()), a = w, m(size, 0.0), v(size, 0.0);
      AdamStep step;
      step.rate = 0.01F;
      step.beta1 = 0.8F;
      step.beta2 = 0.95F;
      step.epsilon = 1e-6F;
      step.average_decay = 0.9F;
      for (int t = 1; t <= 8; ++t) {
        Numbers gradient = normal_numbers(random, size, 0.1F);
        gradient[0] = 0.0F;  // never seen: the weight must not move
        step.gradient_scale = t % 2 == 0 ? 0.25F : 1.0F;
        step.set_time(t);
        adam_update({weights, gradient, first, second, average}, step);
        for (std::size_t k = 0; k < size; ++k) {
          const double g = static_cast<double>(gradient[k]) * step.gradient_scale;
          m[k] = 0.8 * m[k] + 0.2 * g;
          v[k] = 0.95 * v[k] + 0.05 * g * g;
          w[k] -=
              0.01 * (m[k] / (1.0 - std::pow(0.8, t))) / (std::sqrt(v[k] / (1.0 - std::pow(0.95, t))) + 1e-6);
          a[k] = 0.9 * a[k] + 0.1 * w[k];
          ASSERT_NEAR(weights[k], w[k], 3e-6) << "step " << t << " weight " << k;
          ASSERT_NEAR(average[k], a[k], 3e-6);
          ASSERT_NEAR(first[k], m[k], 1e-7);
          ASSERT_NEAR(second[k], v[k], 1e-7);
        }
      }
    }
  });
}

TEST(AdamKernels, AnyDivisionGivesTheSameBits) {
  on_every_simd_target([] {
    std::mt19937_64 random(3);
    const std::size_t size = 100;
    const Numbers start = normal_numbers(random, size);
    const Numbers gradient = normal_numbers(random, size);
    AdamStep step;
    step.set_time(1);
    const auto updated = [&](std::size_t piece) {
      Numbers weights = start, first(size, 0.1F), second(size, 0.2F);
      for (std::size_t begin = 0; begin < size; begin += piece) {
        const std::size_t length = std::min(piece, size - begin);
        const auto part = [&](Numbers& numbers) { return std::span(numbers).subspan(begin, length); };
        adam_update(
            {part(weights), std::span(gradient).subspan(begin, length), part(first), part(second), {}}, step);
      }
      return weights;
    };
    const Numbers whole = updated(size);
    for (const std::size_t piece : {1, 7, 16, 33}) EXPECT_EQ(updated(piece), whole) << piece;
    Numbers weights = start, short_moments(size - 1);
    EXPECT_THROW(adam_update({weights, gradient, short_moments, short_moments, {}}, step),
                 std::invalid_argument);
  });
}

}  // namespace
}  // namespace copse
