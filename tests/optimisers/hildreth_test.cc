#include "optimisers/hildreth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "inference/test_settings.h"

namespace copse {
namespace {

using testing::case_generator;
using testing::case_name;
using testing::scaled;

constexpr double kNoCap = std::numeric_limits<double>::infinity();

struct Program {
  std::vector<std::vector<double>> rows;  // the d_i
  std::vector<double> violations;

  std::size_t size() const { return rows.size(); }
  double product(std::size_t i, std::size_t j) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < rows[i].size(); ++k) sum += rows[i][k] * rows[j][k];
    return sum;
  }
  std::vector<double> gram() const {
    std::vector<double> entries;
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) entries.push_back(product(i, j));
    }
    return entries;
  }
  // How far w' = w + sum of alpha_i d_i is from satisfying a constraint.
  double violation_after(std::span<const double> multipliers, std::size_t i) const {
    double remaining = violations[i];
    for (std::size_t j = 0; j < size(); ++j) remaining -= multipliers[j] * product(i, j);
    return remaining;
  }
  std::vector<double> change(std::span<const double> multipliers) const {
    std::vector<double> sum(rows.empty() ? 0 : rows[0].size());
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += multipliers[i] * rows[i][k];
    }
    return sum;
  }
};

Program random_program(std::size_t size, std::size_t dimension, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Program program;
  for (std::size_t i = 0; i < size; ++i) {
    program.rows.emplace_back();
    for (std::size_t k = 0; k < dimension; ++k) program.rows.back().push_back(normal(random));
    program.violations.push_back(0.5 + normal(random));
  }
  return program;
}

// Gaussian elimination; nothing if the matrix is singular.
std::optional<std::vector<double>> solve_linear(std::vector<std::vector<double>> matrix,
                                                std::vector<double> right) {
  const std::size_t size = right.size();
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < size; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    if (std::abs(matrix[pivot][column]) < 1e-12) return std::nullopt;
    std::swap(matrix[pivot], matrix[column]);
    std::swap(right[pivot], right[column]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column) continue;
      const double factor = matrix[row][column] / matrix[column][column];
      for (std::size_t k = column; k < size; ++k) matrix[row][k] -= factor * matrix[column][k];
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t row = 0; row < size; ++row) right[row] /= matrix[row][row];
  return right;
}

// Every multiplier is 0, at the cap, or free with its constraint satisfied exactly: the program is convex, so
// any choice that satisfies the optimality conditions is the solution.
std::optional<std::vector<double>> solve_by_enumeration(const Program& program, double cap) {
  const std::size_t kinds = cap < kNoCap ? 3 : 2;
  std::size_t choices = 1;
  for (std::size_t i = 0; i < program.size(); ++i) choices *= kinds;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::vector<double> multipliers(program.size());
    std::vector<std::size_t> free;
    std::size_t digits = choice;
    for (std::size_t i = 0; i < program.size(); ++i, digits /= kinds) {
      if (digits % kinds == 1) free.push_back(i);
      if (digits % kinds == 2) multipliers[i] = cap;
    }
    std::vector<std::vector<double>> matrix;
    std::vector<double> right;
    for (const std::size_t i : free) {
      matrix.emplace_back();
      for (const std::size_t j : free) matrix.back().push_back(program.product(i, j));
      right.push_back(program.violation_after(multipliers, i));
    }
    const auto solution = solve_linear(matrix, right);
    if (!solution) continue;
    for (std::size_t k = 0; k < free.size(); ++k) multipliers[free[k]] = (*solution)[k];
    bool optimal = true;
    for (std::size_t i = 0; i < program.size(); ++i) {
      const double remaining = program.violation_after(multipliers, i);
      optimal = optimal && multipliers[i] >= 0.0 && multipliers[i] <= cap;
      if (multipliers[i] < cap) optimal = optimal && remaining <= 1e-9;
      if (multipliers[i] == cap) optimal = optimal && remaining >= -1e-9;
    }
    if (optimal) return multipliers;
  }
  return std::nullopt;
}

void expect_optimal(const Program& program, std::span<const double> multipliers, double cap) {
  ASSERT_EQ(multipliers.size(), program.size());
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program.product(i, i) == 0.0) {
      EXPECT_EQ(multipliers[i], 0.0);
      continue;
    }
    const double remaining = program.violation_after(multipliers, i);
    EXPECT_GE(multipliers[i], 0.0);
    EXPECT_LE(multipliers[i], cap);
    if (multipliers[i] < cap) {
      EXPECT_LE(remaining, 1e-6);
    }
    if (multipliers[i] > 0.0) {
      EXPECT_GE(remaining, -1e-6);
    }
  }
}

HildrethOptions patient(double cap) {
  HildrethOptions options;
  options.cap = cap;
  options.max_rounds = 1000000;
  return options;
}

TEST(Hildreth, AgreesWithEnumeration) {
  HildrethSolver solver;
  for (int number = 0; number < scaled(3000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const std::size_t size = 1 + random() % 5;
    const double cap = number % 3 == 0 ? 0.3 : kNoCap;
    // More dimensions than constraints, so that the constraints do not contradict each other.
    const Program program = random_program(size, size + 2, random);
    const auto expected = solve_by_enumeration(program, cap);
    ASSERT_TRUE(expected);
    const std::span<const double> actual = solver.solve(program.gram(), program.violations, patient(cap));
    EXPECT_TRUE(solver.has_converged());
    expect_optimal(program, actual, cap);
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_NEAR(actual[i], (*expected)[i], 1e-5 * (1 + (*expected)[i]));
  }
}

TEST(Hildreth, DependentConstraintsGiveTheSameChange) {
  HildrethSolver solver;
  for (int number = 0; number < scaled(500); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    Program program = random_program(3, 5, random);
    const auto expected = solve_by_enumeration(program, kNoCap);
    ASSERT_TRUE(expected);
    const std::vector<double> change = program.change(*expected);

    // A duplicate, a multiple, and a zero that cannot be satisfied.
    program.rows.push_back(program.rows[0]);
    program.violations.push_back(program.violations[0]);
    program.rows.push_back(program.rows[1]);
    for (double& entry : program.rows.back()) entry *= 2.0;
    program.violations.push_back(2.0 * program.violations[1]);
    program.rows.insert(program.rows.begin(), std::vector<double>(5));
    program.violations.insert(program.violations.begin(), 1.0);

    const std::span<const double> actual = solver.solve(program.gram(), program.violations, patient(kNoCap));
    EXPECT_TRUE(solver.has_converged());
    expect_optimal(program, actual, kNoCap);
    const std::vector<double> actual_change = program.change(actual);
    for (std::size_t k = 0; k < change.size(); ++k) {
      EXPECT_NEAR(actual_change[k], change[k], 1e-5 * (1.0 + std::abs(change[k])));
    }
  }
}

TEST(Hildreth, OneConstraintIsAProjection) {
  HildrethSolver solver;
  EXPECT_DOUBLE_EQ(solver.solve(std::vector{4.0}, std::vector{3.0})[0], 0.75);
  HildrethOptions capped;
  capped.cap = 0.5;
  EXPECT_DOUBLE_EQ(solver.solve(std::vector{4.0}, std::vector{3.0}, capped)[0], 0.5);
  EXPECT_EQ(solver.solve(std::vector{4.0}, std::vector{-3.0})[0], 0.0);
  EXPECT_TRUE(solver.has_converged());
}

TEST(Hildreth, NothingToDo) {
  HildrethSolver solver;
  EXPECT_TRUE(solver.solve({}, {}).empty());
  EXPECT_TRUE(solver.has_converged());
  const std::vector<double> zeros(4);
  EXPECT_EQ(solver.solve(zeros, std::vector{1.0, 1.0})[1], 0.0);
  EXPECT_TRUE(solver.has_converged());
  EXPECT_THROW(solver.solve(zeros, std::vector{1.0}), std::invalid_argument);
}

TEST(Hildreth, ContradictionsEndWithTheRoundsOrAtTheCap) {
  const Program program{{{1.0, 0.0}, {-1.0, 0.0}}, {1.0, 1.0}};
  HildrethSolver solver;
  HildrethOptions options;
  options.max_rounds = 50;
  for (const double multiplier : solver.solve(program.gram(), program.violations, options)) {
    EXPECT_TRUE(std::isfinite(multiplier));
  }
  EXPECT_FALSE(solver.has_converged());
  options.cap = 10.0;
  const std::span<const double> capped = solver.solve(program.gram(), program.violations, options);
  EXPECT_TRUE(solver.has_converged());
  EXPECT_EQ(capped[0], 10.0);
  EXPECT_EQ(capped[1], 10.0);
}

}  // namespace
}  // namespace copse
