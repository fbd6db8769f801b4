#include "network/element_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "every_simd_target.h"
#include "random_numbers.h"

namespace copse {
namespace {

using testing::normal_numbers;
using testing::on_every_simd_target;
using Numbers = std::vector<float>;

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// All floats from `first` on, in steps of `step` units in the last place.
Numbers neighbours(float first, float last, std::uint32_t step) {
  Numbers numbers;
  const auto end = std::bit_cast<std::uint32_t>(last);
  for (auto bits = std::bit_cast<std::uint32_t>(first); bits <= end; bits += step) {
    numbers.push_back(std::bit_cast<float>(bits));
  }
  return numbers;
}

void check_function(void (*apply)(std::span<float>), double (*expected)(double)) {
  const Numbers positive = neighbours(1e-6F, 100.0F, 997);
  Numbers arguments;
  for (auto x = positive.rbegin(); x != positive.rend(); ++x) arguments.push_back(-*x);
  arguments.push_back(0.0F);
  arguments.insert(arguments.end(), positive.begin(), positive.end());
  Numbers values = arguments;
  apply(values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    ASSERT_NEAR(values[k], expected(arguments[k]), 2e-7) << arguments[k];
    if (k > 0) {
      ASSERT_GE(values[k], values[k - 1]) << "rises at " << arguments[k];
    }
  }
  Numbers extremes = {-kInfinite, -1e30F, 1e30F, kInfinite, std::nanf("")};
  apply(extremes);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(extremes[k], expected(-100.0), 1e-30);
    EXPECT_EQ(extremes[k + 2], 1.0F);
  }
  EXPECT_TRUE(std::isnan(extremes[4]));
}

TEST(ElementKernels, SigmoidAndTanhAreAccurateAndMonotone) {
  on_every_simd_target([] {
    check_function(apply_sigmoid, [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
    check_function(apply_tanh, [](double x) { return std::tanh(x); });
  });
}

TEST(ElementKernels, TanhHasASmallRelativeErrorAroundZero) {
  on_every_simd_target([] {
    Numbers arguments = neighbours(1e-12F, 0.5F, 99991);
    Numbers values = arguments;
    apply_tanh(values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double expected = std::tanh(static_cast<double>(arguments[k]));
      ASSERT_NEAR(values[k] / expected, 1.0, 5e-7) << arguments[k];
    }
  });
}

TEST(ElementKernels, RowsAndRectifiers) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t rows = 1 + random() % 5;
      const std::size_t columns = 1 + random() % 50;
      const std::size_t stride = columns + random() % 3;
      const Numbers before = normal_numbers(random, rows * stride);
      const Numbers row = normal_numbers(random, columns);
      const auto check = [&](const auto& apply, const auto& expected) {
        Numbers after = before;
        apply(Matrix(after.data(), rows, columns, stride));
        for (std::size_t k = 0; k < after.size(); ++k) {
          const std::size_t column = k % stride;
          if (column < columns) {
            ASSERT_FLOAT_EQ(after[k], expected(before[k], column, k));
          } else {
            ASSERT_EQ(after[k], before[k]) << "not a part of the matrix";
          }
        }
      };
      check([&](Matrix m) { add_to_rows(row, m); },
            [&](float x, std::size_t column, std::size_t) { return x + row[column]; });
      check([&](Matrix m) { multiply_rows(row, m); },
            [&](float x, std::size_t column, std::size_t) { return x * row[column]; });
      check([&](Matrix m) { leaky_relu(m); },
            [&](float x, std::size_t, std::size_t) { return x < 0.0F ? 0.1F * x : x; });
      const Numbers gradient = normal_numbers(random, rows * stride);
      check(
          [&](Matrix m) {
            Numbers results(m.data, m.data + rows * stride);
            Numbers passed = gradient;
            leaky_relu_backward(ConstMatrix(results.data(), rows, columns, stride),
                                Matrix(passed.data(), rows, columns, stride));
            for (std::size_t r = 0; r < rows; ++r) {
              std::copy_n(passed.begin() + static_cast<std::ptrdiff_t>(r * stride), columns, m.row(r));
            }
          },
          [&](float x, std::size_t, std::size_t k) { return x < 0.0F ? 0.1F * gradient[k] : gradient[k]; });

      Numbers sum = row;
      add_rows_to(ConstMatrix(before.data(), rows, columns, stride), sum);
      for (std::size_t column = 0; column < columns; ++column) {
        double expected = row[column];
        for (std::size_t r = 0; r < rows; ++r) expected += before[r * stride + column];
        ASSERT_NEAR(sum[column], expected, 1e-5);
      }
      EXPECT_THROW(add_to_rows(Numbers(columns + 1), Matrix(sum.data(), 1, columns)), std::invalid_argument);
    }
  });
}

TEST(ElementKernels, SumsAndProductsOfVectors) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t size = random() % 100;
      const Numbers a = normal_numbers(random, size);
      const Numbers b = normal_numbers(random, size);
      double dot = 0.0;
      double squares = 0.0;
      for (std::size_t k = 0; k < size; ++k) {
        dot += static_cast<double>(a[k]) * b[k];
        squares += static_cast<double>(a[k]) * a[k];
      }
      EXPECT_NEAR(dot_product(a, b), dot, 1e-12);
      EXPECT_NEAR(sum_of_squares(a), squares, 1e-12);
      Numbers sum = b;
      add_scaled(a, 0.3F, sum);
      Numbers product = b;
      multiply_by(a, product);
      Numbers scaled = b;
      scale(scaled, 1.7F);
      for (std::size_t k = 0; k < size; ++k) {
        ASSERT_NEAR(sum[k], b[k] + 0.3 * a[k], 1e-6);
        ASSERT_FLOAT_EQ(product[k], a[k] * b[k]);
        ASSERT_FLOAT_EQ(scaled[k], 1.7F * b[k]);
      }
    }
    EXPECT_NEAR(sum_of_squares(Numbers{3e30F, 4e30F}) / 25e60, 1.0, 1e-6) << "beyond what a float holds";
  });
}

double reference_log_sum_exp(const std::vector<double>& scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - largest);
  return largest + std::log(sum);
}

TEST(ElementKernels, SoftmaxAndItsLoss) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t size = 1 + random() % 60;
      Numbers scores = normal_numbers(random, size, 5.0F);
      const std::size_t gold = random() % size;
      if (size > 2 && seed % 2 == 0) scores[(gold + 1) % size] = -kInfinite;
      if (seed % 5 == 0) {
        for (float& score : scores) score += 1000.0F;
      }
      const std::vector<double> exact(scores.begin(), scores.end());
      const double expected = reference_log_sum_exp(exact);
      EXPECT_NEAR(log_sum_exp(scores), expected, 1e-6);
      Numbers probabilities = scores;
      EXPECT_NEAR(softmax(probabilities), expected, 1e-6);
      Numbers gradient = scores;
      EXPECT_NEAR(softmax_loss(gradient, gold, 0.5F), 0.5 * (expected - exact[gold]), 1e-6);
      for (std::size_t k = 0; k < size; ++k) {
        const double p = std::exp(exact[k] - expected);
        ASSERT_NEAR(probabilities[k], p, 5e-7);
        ASSERT_NEAR(gradient[k], 0.5 * (p - (k == gold ? 1.0 : 0.0)), 5e-7);
      }

      // The gradient of a · p.
      const Numbers a = normal_numbers(random, size);
      Numbers back = a;
      softmax_backward(probabilities, back);
      for (std::size_t k = 0; k < size; ++k) {
        const auto value = [&](double change) {
          std::vector<double> moved = exact;
          moved[k] += change;
          const double total = reference_log_sum_exp(moved);
          double sum = 0.0;
          for (std::size_t j = 0; j < size; ++j) sum += a[j] * std::exp(moved[j] - total);
          return sum;
        };
        ASSERT_NEAR(back[k], (value(1e-5) - value(-1e-5)) / 2e-5, 2e-6);
      }
    }
  });
}

}  // namespace
}  // namespace copse
