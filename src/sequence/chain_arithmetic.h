#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace copse {

// Two ways to hold sums of exponentials. The sweeps are written once, in these terms.

// The numbers themselves: fast.
struct LinearChainNumbers {
  static constexpr double kZero = 0.0;
  static constexpr double kOne = 1.0;

  // sums[k] += factor * terms[k]
  static void add_scaled(double factor, std::span<const double> terms, double* sums) {
    for (std::size_t k = 0; k < terms.size(); ++k) sums[k] += factor * terms[k];
  }
  // The sum of a[k] * b[k].
  static double dot(std::span<const double> a, const double* b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }
  static double times(double a, double b) { return a * b; }
  static double divide(double a, double b) { return a / b; }
  static double sum(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum;
  }
  static double log(double value) { return std::log(value); }
  static double to_probability(double value) { return value; }
};

// Their logarithms: any magnitude.
struct LogChainNumbers {
  static constexpr double kZero = -std::numeric_limits<double>::infinity();
  static constexpr double kOne = 0.0;

  static void add_scaled(double factor, std::span<const double> terms, double* sums) {
    for (std::size_t k = 0; k < terms.size(); ++k) sums[k] = add(sums[k], factor + terms[k]);
  }
  static double dot(std::span<const double> a, const double* b) {
    double sum = kZero;
    for (std::size_t k = 0; k < a.size(); ++k) sum = add(sum, a[k] + b[k]);
    return sum;
  }
  static double times(double a, double b) { return a + b; }
  static double divide(double a, double b) { return a - b; }
  static double sum(std::span<const double> values) {
    double sum = kZero;
    for (const double value : values) sum = add(sum, value);
    return sum;
  }
  static double log(double value) { return value; }
  static double to_probability(double value) { return std::exp(value); }

 private:
  static double add(double a, double b) {
    if (a < b) return add(b, a);
    return b == kZero ? a : a + std::log1p(std::exp(b - a));
  }
};

}  // namespace copse
