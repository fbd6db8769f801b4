#include "network/part_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "every_simd_target.h"
#include "inference/tree_parts.h"
#include "random_numbers.h"

namespace copse {
namespace {

using testing::normal_numbers;
using testing::on_every_simd_target;
using Numbers = std::vector<float>;

// The arrays of PartFactors, or of their gradients: first the matrices, then single rows.
enum Which : std::size_t {
  kGrandparents,
  kHeads,
  kSecondSiblings,
  kSiblings,
  kModifiers,
  kNoGrandparent,
  kNoSibling,
  kNoSecondSibling,
  kWeights,
};
constexpr std::size_t kArrays = kWeights + 1;

struct Arrays {
  std::array<Numbers, kArrays> numbers;

  ConstMatrix matrix(std::size_t which, std::size_t rank) const {
    return {numbers[which].data(), numbers[which].size() / rank, rank};
  }
  PartFactors factors(std::size_t rank) const {
    return {.grandparents = matrix(kGrandparents, rank),
            .heads = matrix(kHeads, rank),
            .second_siblings = matrix(kSecondSiblings, rank),
            .siblings = matrix(kSiblings, rank),
            .modifiers = matrix(kModifiers, rank),
            .no_grandparent = numbers[kNoGrandparent],
            .no_sibling = numbers[kNoSibling],
            .no_second_sibling = numbers[kNoSecondSibling],
            .weights = numbers[kWeights]};
  }
  PartFactorGradients gradients(std::size_t rank) {
    const auto rows = [&](std::size_t which) {
      return Matrix(numbers[which].data(), numbers[which].size() / rank, rank);
    };
    return {.grandparents = rows(kGrandparents),
            .heads = rows(kHeads),
            .second_siblings = rows(kSecondSiblings),
            .siblings = rows(kSiblings),
            .modifiers = rows(kModifiers),
            .no_grandparent = numbers[kNoGrandparent],
            .no_sibling = numbers[kNoSibling],
            .no_second_sibling = numbers[kNoSecondSibling],
            .weights = numbers[kWeights]};
  }
};

struct PartCase {
  std::size_t rank;
  ArcSet arcs;
  PartIndex parts;
  Arrays values;

  PartCase(std::mt19937_64& random, Factorization factorization) : rank(16 * (1 + random() % 5)) {
    const int words = 1 + static_cast<int>(random() % 9);
    std::vector<Arc> some;
    const double share = random() % 3 == 0 ? 1.0 : 0.5;
    for (int head = 0; head <= words; ++head) {
      for (int modifier = 1; modifier <= words; ++modifier) {
        if (head != modifier && std::uniform_real_distribution<double>(0, 1)(random) < share) {
          some.push_back({head, modifier});
        }
      }
    }
    arcs.assign(words, some);
    parts.assign(arcs, factorization);
    for (std::size_t which = 0; which < kArrays; ++which) {
      const std::size_t rows = which <= kModifiers ? static_cast<std::size_t>(words) + 1 : 1;
      values.numbers[which] = normal_numbers(random, rows * rank);
    }
  }

  // By definition, in double precision.
  std::vector<double> expected(PartKind kind) const {
    std::vector<double> sums;
    const auto add = [&](const PartWords& words) {
      double sum = 0.0;
      for (std::size_t k = 0; k < rank; ++k) {
        const auto row = [&](Which which) -> double { return values.numbers[which][k]; };
        const auto of = [&](int word, Which which) -> double {
          return values.numbers[which][static_cast<std::size_t>(word) * rank + k];
        };
        const bool is_innermost = words.sibling == words.head;
        double product = row(kWeights) * of(words.head, kHeads) * of(words.modifier, kModifiers);
        if (has_sibling(kind)) product *= is_innermost ? row(kNoSibling) : of(words.sibling, kSiblings);
        if (has_second_sibling(kind) && !is_innermost) {
          product *= words.second_sibling == words.head ? row(kNoSecondSibling)
                                                        : of(words.second_sibling, kSecondSiblings);
        }
        if (has_grandparent(kind)) {
          product *= words.head == 0 ? row(kNoGrandparent) : of(words.grandparent, kGrandparents);
        }
        sum += product;
      }
      sums.push_back(sum);
    };
    if (parts.count(kind) == 0) return sums;
    const auto add_all = [&]<std::size_t... kKinds>(std::index_sequence<kKinds...>) {
      ((kind == kAllPartKinds[kKinds] ? for_each_part<kAllPartKinds[kKinds]>(parts, add) : void()), ...);
    };
    add_all(std::make_index_sequence<kPartKinds>());
    return sums;
  }
};

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
    Arrays gradients = test.values;  // what stood there stays: gradients are added
    add_part_gradients(test.parts, kind, test.values.factors(test.rank), coefficients,
                       gradients.gradients(test.rank));
    for (std::size_t which = 0; which < kArrays; ++which) {
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
