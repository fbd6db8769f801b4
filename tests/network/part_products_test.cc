#include "network/part_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "every_simd_target.h"
#include "part_case.h"

namespace copse {
namespace {

using testing::kPartArrays;
using testing::on_every_simd_target;
using testing::PartArrayValues;
using testing::PartCase;

void for_each_case(const std::function<void(std::mt19937_64&, PartCase&, PartKind)>& check) {
  on_every_simd_target([&] {
    for (int order = 0; order < kFactorizationCount; ++order) {
      const auto factorization = static_cast<Factorization>(order);
      for (unsigned seed = 1; seed <= 12; ++seed) {
        for (const PartKind kind : part_kinds(factorization)) {
          SCOPED_TRACE(::testing::Message()
                       << name(factorization) << " seed " << seed << " kind " << name(kind));
          std::mt19937_64 random(seed);
          PartCase test(random, factorization);
          check(random, test, kind);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

TEST(PartProducts, AreThoseOfTheDefinition) {
  for_each_case([](std::mt19937_64&, PartCase& test, PartKind kind) {
    const std::vector<double> expected = test.expected(kind);
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(test.parts.count(kind)));
    std::vector<double> potentials(expected.size(), 0.25);
    add_part_products(test.parts, kind, test.values.factors(test.rank), 0.5, potentials);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_NEAR(potentials[k], 0.25 + 0.5 * expected[k], 1e-4) << "part " << k;
    }
  });
}

// Potentials are linear in each number, so that differences are exact up to rounding.
TEST(PartProducts, GradientsAgreeWithDifferences) {
  for_each_case([](std::mt19937_64& random, PartCase& test, PartKind kind) {
    const std::vector<double> before = test.expected(kind);
    std::vector<double> coefficients(before.size());
    for (double& coefficient : coefficients) {
      if (random() % 3 != 0) coefficient = std::normal_distribution<double>()(random);
    }
    PartArrayValues gradients = test.values;  // what stood there stays: gradients are added
    add_part_gradients(test.parts, kind, test.values.factors(test.rank), coefficients,
                       gradients.gradients(test.rank));
    for (std::size_t which = 0; which < kPartArrays; ++which) {
      for (int trial = 0; trial < 12; ++trial) {
        const std::size_t at = random() % test.values.numbers[which].size();
        const float value = test.values.numbers[which][at];
        test.values.numbers[which][at] = value + 1.0F;
        const double distance = static_cast<double>(test.values.numbers[which][at]) - value;
        const std::vector<double> after = test.expected(kind);
        test.values.numbers[which][at] = value;
        double expected = value;
        for (std::size_t k = 0; k < before.size(); ++k) {
          expected += coefficients[k] * (after[k] - before[k]) / distance;
        }
        ASSERT_NEAR(gradients.numbers[which][at], expected, 2e-4 * (1.0 + std::abs(expected)))
            << "array " << which << " number " << at;
      }
    }
  });
}

TEST(PartProducts, ImpossibleSizesThrow) {
  std::mt19937_64 random(2);
  PartCase test(random, Factorization::grandsibling);
  std::vector<double> potentials(static_cast<std::size_t>(test.parts.count(PartKind::sibling)) + 1);
  const PartFactors factors = test.values.factors(test.rank);
  EXPECT_THROW(add_part_products(test.parts, PartKind::sibling, factors, 1.0, potentials),
               std::invalid_argument);
  potentials.pop_back();
  ASSERT_FALSE(potentials.empty());
  EXPECT_NO_THROW(add_part_products(test.parts, PartKind::sibling, factors, 1.0, potentials));
  PartFactors few = factors;
  --few.siblings.rows;
  EXPECT_THROW(add_part_products(test.parts, PartKind::sibling, few, 1.0, potentials), std::invalid_argument);
  PartFactors odd = factors;
  odd.weights = odd.weights.first(test.rank - 1);
  EXPECT_THROW(add_part_products(test.parts, PartKind::sibling, odd, 1.0, potentials), std::invalid_argument);
}

TEST(PartProducts, SecondSiblingsMustFitWhereThereAreSome) {
  std::mt19937_64 random(2);
  PartCase test(random, Factorization::trisibling);
  PartFactors factors = test.values.factors(test.rank);
  factors.no_second_sibling = {};
  std::vector<double> potentials(static_cast<std::size_t>(test.parts.count(PartKind::trisibling)));
  ASSERT_FALSE(potentials.empty());
  EXPECT_THROW(add_part_products(test.parts, PartKind::trisibling, factors, 1.0, potentials),
               std::invalid_argument);
  potentials.resize(static_cast<std::size_t>(test.parts.count(PartKind::grandsibling)));
  EXPECT_NO_THROW(add_part_products(test.parts, PartKind::grandsibling, factors, 1.0, potentials));
}

}  // namespace
}  // namespace copse
