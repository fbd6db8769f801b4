#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "inference/enumeration.h"
#include "inference/parts.h"

namespace copse::testing {

inline constexpr double kTolerance = 1e-9;

inline void expect_close(long double expected, double actual, const char* what) {
  if (expected == kImpossible) {
    EXPECT_EQ(actual, -std::numeric_limits<double>::infinity()) << what;
    return;
  }
  const auto rounded = static_cast<double>(expected);
  EXPECT_NEAR(rounded, actual, kTolerance * std::max(1.0, std::abs(rounded))) << what;
}

// NaN counts as infinitely different.
inline double largest_difference(std::span<const double> left, std::span<const double> right) {
  if (left.size() != right.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double difference = std::abs(left[i] - right[i]);
    if (!(difference <= largest)) largest = difference;
    if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
  }
  return largest;
}

// Every entry of every array, in both directions: no part of the oracle is missing, and arrays that the
// factorization does not have are empty.
inline void expect_marginals(const PartTable<long double>& expected, const PartIndex& parts,
                             const Marginals& actual) {
  for (Order order : kOrders) {
    ASSERT_EQ(static_cast<PartIndex::Position>(values_of(actual, order).size()), count(parts, order))
        << to_string(order);
  }
  for (Order order : orders_of(parts.factorization())) {
    for_each_conceivable_part(order, parts.words(), [&](const Part& part) {
      const PartIndex::Position found = position(parts, order, part);
      const auto probability = static_cast<double>(expected.at(order, part));
      const double answer = found == PartIndex::kNone ? 0.0 : values_of(actual, order)[found];
      EXPECT_NEAR(answer, probability, kTolerance) << to_string(order) << " " << to_string(part);
    });
  }
}

inline void expect_probabilities(std::span<const double> values, const char* what) {
  for (double value : values) {
    if (value >= 0 && value <= 1) continue;
    ADD_FAILURE() << what << ": " << value << " is not a probability (" << value - 1 << " above 1)";
    return;
  }
}

// Each marginal of `whole` is the sum of the marginals of the `finer` parts that contain it.
inline void expect_sums_of_finer_parts(const PartIndex& parts, const Marginals& marginals, Order whole,
                                       Order finer) {
  std::vector<double> sums(values_of(marginals, whole).size(), 0);
  for_each_part(parts, finer, [&](const Part& part, PartIndex::Position found) {
    sums[position(parts, whole, part)] += values_of(marginals, finer)[found];
  });
  EXPECT_LE(largest_difference(sums, values_of(marginals, whole)), kTolerance)
      << to_string(whole) << " as sum of " << to_string(finer) << " parts";
}

// A word that has modifiers on a side has an outermost one there, and just one innermost one.
inline void expect_outermost_modifiers(const PartIndex& parts, const Marginals& marginals) {
  if (parts.factorization() != Factorization::outermost) return;
  std::vector<double> difference(2 * (static_cast<std::size_t>(parts.words()) + 1));
  const auto side_of = [](const Part& part) {
    return static_cast<std::size_t>(2 * part.head + (part.modifier < part.head ? 0 : 1));
  };
  for_each_part(parts, Order::outermost, [&](const Part& part, PartIndex::Position found) {
    difference[side_of(part)] += marginals[PartKind::outermost][found];
  });
  for_each_part(parts, Order::sibling, [&](const Part& part, PartIndex::Position found) {
    if (part.sibling == part.head) difference[side_of(part)] -= marginals[PartKind::sibling][found];
  });
  for (const double left : difference) EXPECT_NEAR(left, 0, kTolerance);
}

// What must hold for the marginals of any distribution, however large: probabilities; one head per word;
// parts of lower order are unions of parts of higher order.
inline void expect_coherent(const PartIndex& parts, const Marginals& marginals) {
  for (Order order : orders_of(parts.factorization())) {
    expect_probabilities(values_of(marginals, order), to_string(order));
  }
  for (int word = 1; word <= parts.words(); ++word) {
    double sum = 0;
    for (int arc : parts.arcs().incoming(word)) sum += marginals.arc[arc];
    EXPECT_NEAR(sum, 1, kTolerance) << "heads of word " << word;
  }
  const Factorization factorization = parts.factorization();
  const auto expect_sums = [&](Order whole, Order finer) {
    const std::span<const Order> orders = orders_of(factorization);
    if (std::find(orders.begin(), orders.end(), finer) == orders.end()) return;
    expect_sums_of_finer_parts(parts, marginals, whole, finer);
  };
  expect_sums(Order::arc, Order::sibling);
  expect_sums(Order::arc, Order::grandchild);
  expect_sums(Order::sibling, Order::grandsibling);
  expect_sums(Order::grandchild, Order::grandsibling);
  expect_sums(Order::sibling, Order::trisibling);
  expect_sums(Order::trisibling, Order::grandtrisibling);
  expect_sums(Order::grandsibling, Order::grandtrisibling);
  expect_outermost_modifiers(parts, marginals);
}

}  // namespace copse::testing
