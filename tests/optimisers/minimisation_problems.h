// Functions to minimise, each with what is known about its minimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "optimisers/lbfgs.h"

namespace copse::testing {

// Written once for the float vectors of the library and the double vectors of other minimisers.
template <class Problem>
class AsFunction : public DifferentiableFunction {
 public:
  explicit AsFunction(const Problem& problem) : problem_(problem) {}
  std::size_t dimension() const override { return problem_.dimension(); }
  double evaluate(std::span<const float> x, std::span<float> gradient) override {
    ++evaluations_;
    if (evaluations_ == failing_evaluation_) throw std::runtime_error("failed as the test wishes");
    return problem_.evaluate(x.data(), gradient.data());
  }
  long evaluations() const { return evaluations_; }
  void fail_at(long evaluation) { failing_evaluation_ = evaluation; }

 private:
  const Problem& problem_;
  long evaluations_ = 0;
  long failing_evaluation_ = 0;
};

// 1/2 (x - c)' A (x - c), A = the square of a random matrix plus `ridge` times the identity.
class DenseQuadratic {
 public:
  DenseQuadratic(std::size_t dimension, double ridge, std::mt19937_64& random)
      : minimum_(dimension), matrix_(dimension * dimension) {
    std::normal_distribution<double> normal;
    std::vector<double> factor(dimension * dimension);
    for (double& entry : factor) entry = normal(random);
    for (std::size_t i = 0; i < dimension; ++i) {
      for (std::size_t j = 0; j < dimension; ++j) {
        double sum = i == j ? ridge : 0.0;
        for (std::size_t k = 0; k < dimension; ++k) {
          sum += factor[i * dimension + k] * factor[j * dimension + k] / static_cast<double>(dimension);
        }
        matrix_[i * dimension + j] = sum;
      }
    }
    for (double& entry : minimum_) entry = normal(random);
  }
  std::size_t dimension() const { return minimum_.size(); }
  const std::vector<double>& minimum() const { return minimum_; }

  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < dimension(); ++i) {
      double row = 0.0;
      for (std::size_t j = 0; j < dimension(); ++j)
        row += matrix_[i * dimension() + j] * (x[j] - minimum_[j]);
      gradient[i] = static_cast<Number>(row);
      value += 0.5 * row * (x[i] - minimum_[i]);
    }
    return value;
  }

 private:
  std::vector<double> minimum_;
  std::vector<double> matrix_;
};

// Sum of 1/2 lambda_i (x_i - c_i)^2, lambda between 1 and `condition`, at any dimension.
class DiagonalQuadratic {
 public:
  DiagonalQuadratic(std::size_t dimension, double condition, std::mt19937_64& random)
      : minimum_(dimension), curvature_(dimension) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> exponent;
    for (double& entry : minimum_) entry = normal(random);
    for (double& entry : curvature_) entry = std::pow(condition, exponent(random));
  }
  std::size_t dimension() const { return minimum_.size(); }
  const std::vector<double>& minimum() const { return minimum_; }

  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < dimension(); ++i) {
      const double away = x[i] - minimum_[i];
      gradient[i] = static_cast<Number>(curvature_[i] * away);
      value += 0.5 * curvature_[i] * away * away;
    }
    return value;
  }

 private:
  std::vector<double> minimum_;
  std::vector<double> curvature_;
};

// Logistic regression on sparse random examples, of which only some features matter.
class LogisticRegression {
 public:
  LogisticRegression(std::size_t dimension, int examples, double l2, std::mt19937_64& random)
      : dimension_(dimension), l2_(l2) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<double> truth(dimension, 0.0);
    for (std::size_t k = 0; k < dimension; k += 5) truth[k] = 2.0 * normal(random);
    for (int e = 0; e < examples; ++e) {
      Example example;
      double score = 0.0;
      for (int k = 0; k < 10; ++k) {
        // Low numbers are frequent, as with words.
        const auto feature =
            static_cast<std::size_t>(std::pow(uniform(random), 3) * static_cast<double>(dimension));
        example.features.push_back(std::min(feature, dimension - 1));
        score += truth[example.features.back()];
      }
      example.sign = uniform(random) < 1.0 / (1.0 + std::exp(-score)) ? 1.0 : -1.0;
      examples_.push_back(example);
    }
  }
  std::size_t dimension() const { return dimension_; }

  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    std::vector<double> sums(dimension_);
    double value = 0.0;
    for (std::size_t i = 0; i < dimension_; ++i) {
      value += 0.5 * l2_ * x[i] * x[i];
      sums[i] = l2_ * x[i];
    }
    for (const Example& example : examples_) {
      double score = 0.0;
      for (const std::size_t feature : example.features) score += x[feature];
      const double margin = example.sign * score;
      value += std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
      const double slope = -example.sign / (1.0 + std::exp(margin));
      for (const std::size_t feature : example.features) sums[feature] += slope;
    }
    for (std::size_t i = 0; i < dimension_; ++i) gradient[i] = static_cast<Number>(sums[i]);
    return value;
  }

 private:
  struct Example {
    std::vector<std::size_t> features;
    double sign;
  };
  std::size_t dimension_;
  double l2_;
  std::vector<Example> examples_;
};

// Rosenbrock's valleys, two coordinates each; the minimum, 0, is where all coordinates are 1.
class Rosenbrock {
 public:
  explicit Rosenbrock(std::size_t valleys) : valleys_(valleys) {}
  std::size_t dimension() const { return 2 * valleys_; }

  template <class Number>
  double evaluate(const Number* x, Number* gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < dimension(); i += 2) {
      const double a = 1.0 - x[i];
      const double b = x[i + 1] - static_cast<double>(x[i]) * x[i];
      value += a * a + 100.0 * b * b;
      gradient[i] = static_cast<Number>(-2.0 * a - 400.0 * x[i] * b);
      gradient[i + 1] = static_cast<Number>(200.0 * b);
    }
    return value;
  }

 private:
  std::size_t valleys_;
};

// Iterates until the run ends, or `most` times.
inline Lbfgs::Status minimise(Lbfgs& run, int most = 1000) {
  while (run.status() == Lbfgs::Status::running && most-- > 0) run.iterate();
  return run.status();
}

}  // namespace copse::testing
