// Non-negative numbers as themselves or as their logarithms, for algorithms that only add, multiply and
// divide.
#pragma once

#include <cmath>
#include <limits>

namespace copse {

// The logarithm of zero.
inline constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct LinearNumbers {
  static constexpr double kZero = 0.0;
  static constexpr double kOne = 1.0;

  static double add(double a, double b) { return a + b; }
  static double multiply(double a, double b) { return a * b; }
  static double divide(double a, double b) { return a / b; }
  static double log(double a) { return std::log(a); }
  // a / b as an ordinary number.
  static double ratio(double a, double b) { return a / b; }
  static double from_log(double logarithm) { return std::exp(logarithm); }
};

struct LogNumbers {
  static constexpr double kZero = kMinusInfinity;
  static constexpr double kOne = 0.0;

  static double add(double a, double b) {
    if (a < b) return add(b, a);
    constexpr double kNothing = -40.0;  // beside 1, in double precision
    const double difference = b - a;
    return b == kZero || difference < kNothing ? a : a + std::log1p(std::exp(difference));
  }
  static double multiply(double a, double b) { return a + b; }
  static double divide(double a, double b) { return a - b; }
  static double log(double a) { return a; }
  static double ratio(double a, double b) { return std::exp(a - b); }
  static double from_log(double logarithm) { return logarithm; }
};

}  // namespace copse
