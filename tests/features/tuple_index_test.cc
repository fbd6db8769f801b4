#include "features/tuple_index.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "features/scope_words.h"
#include "inference/random_cases.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

// The values are whole numbers, which doubles add exactly in every order.
double random_value(Generator& random) { return uniform_int(random, -1000, 1000); }

PartValues random_part_values(Generator& random, const PartIndex& parts) {
  PartValues values;
  values.assign(parts);
  for (Order order : kOrders) {
    for (double& value : values_of(values, order)) value = random_value(random);
  }
  return values;
}

using ValuesByKey = std::map<std::pair<Scope, TupleKey>, double>;

// One entry per tuple, found by its words.
std::map<std::pair<Scope, TupleKey>, int> numbers_by_key(const TupleIndex& tuples) {
  std::map<std::pair<Scope, TupleKey>, int> numbers;
  int next = 0;
  for (int scope = 0; scope < kScopes; ++scope) {
    const auto which = static_cast<Scope>(scope);
    EXPECT_EQ(tuples.begin(which), next) << "scopes follow each other";
    for (next = tuples.begin(which); next < tuples.end(which); ++next) {
      const bool is_new =
          numbers.emplace(std::pair(which, key_of(which, to_part(tuples[next]))), next).second;
      EXPECT_TRUE(is_new) << "scope " << scope << ": " << to_string(to_part(tuples[next])) << " twice";
    }
  }
  EXPECT_EQ(tuples.size(), next);
  return numbers;
}

class Case {
 public:
  Case(Generator& random, int words, Factorization factorization, CandidateKind candidates) {
    arcs_.assign(words, random_candidates(random, candidates, words, RootMode::multi));
    parts_.assign(arcs_, factorization);
  }
  const PartIndex& parts() const { return parts_; }

 private:
  ArcSet arcs_;
  PartIndex parts_;
};

template <class Check>
void for_each_case(int cases, Check check) {
  TupleIndex tuples;  // a workspace: nothing of an earlier sentence may remain
  int number = 0;
  for (int round = 0; round < scaled(cases); ++round) {
    for (const Factorization factorization : kFactorizations) {
      for (const CandidateKind candidates : kCandidateKinds) {
        Generator random = case_generator(number);
        const int words = uniform_int(random, 1, happens(random, 0.1) ? 13 : 7);
        SCOPED_TRACE(case_name(number++) + ": words " + std::to_string(words) + ", " +
                     std::string(copse::name(factorization)) + ", " + std::string(name(candidates)));
        const Case input(random, words, factorization, candidates);
        tuples.assign(input.parts());
        check(input.parts(), tuples, random);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(TupleIndex, HasEveryTupleOfWordsOnceAndNoOthers) {
  for_each_case(40, [](const PartIndex& parts, const TupleIndex& tuples, Generator&) {
    const auto numbers = numbers_by_key(tuples);
    int expected = 0;
    for_each_distinct_tuple(parts, [&](Scope scope, const Part& part) {
      ++expected;
      EXPECT_TRUE(numbers.contains({scope, key_of(scope, part)})) << to_string(part);
    });
    EXPECT_EQ(tuples.size(), expected);
  });
}

TEST(TupleIndex, NamesWordsOfAPartThatExists) {
  for_each_case(20, [](const PartIndex& parts, const TupleIndex& tuples, Generator&) {
    for (Order order : kOrders) {
      for (Scope scope : scopes_of(order)) {
        for (int tuple = tuples.begin(scope); tuple < tuples.end(scope); ++tuple) {
          const Part part = to_part(tuples[tuple]);
          EXPECT_NE(position(parts, order, part), PartIndex::kNone) << to_string(part);
        }
      }
    }
  });
}

TEST(TupleIndex, SumsUpTheTuplesOfEveryPart) {
  for_each_case(40, [](const PartIndex& parts, const TupleIndex& tuples, Generator& random) {
    std::vector<double> tuple_values(static_cast<std::size_t>(tuples.size()));
    for (double& value : tuple_values) value = random_value(random);
    ValuesByKey values;
    for (const auto& [key, number] : numbers_by_key(tuples)) values[key] = tuple_values[number];

    PartValues sums = random_part_values(random, parts);  // to be overwritten
    tuples.to_parts(tuple_values, sums);
    for (Order order : kOrders) {
      ASSERT_EQ(static_cast<PartIndex::Position>(values_of(sums, order).size()), count(parts, order));
    }
    for (Order order : orders_of(parts.factorization())) {
      for_each_part(parts, order, [&](const Part& part, PartIndex::Position position) {
        double expected = 0.0;
        for (Scope scope : scopes_of(order)) expected += values.at({scope, key_of(scope, part)});
        EXPECT_EQ(values_of(sums, order)[position], expected) << to_string(order) << " " << to_string(part);
      });
    }
  });
}

TEST(TupleIndex, HandsTheValuesOfPartsDownToTheirTuples) {
  for_each_case(40, [](const PartIndex& parts, const TupleIndex& tuples, Generator& random) {
    const PartValues values = random_part_values(random, parts);
    ValuesByKey expected;
    for (Order order : orders_of(parts.factorization())) {
      for_each_part(parts, order, [&](const Part& part, PartIndex::Position position) {
        for (Scope scope : scopes_of(order)) {
          expected[{scope, key_of(scope, part)}] += values_of(values, order)[position];
        }
      });
    }
    std::vector<double> sums(static_cast<std::size_t>(tuples.size()), 1e6);  // to be overwritten
    tuples.to_tuples(values, sums);
    for (const auto& [key, number] : numbers_by_key(tuples)) EXPECT_EQ(sums[number], expected.at(key));
  });
}

TEST(TupleIndex, SumsAreAdjoint) {
  for_each_case(40, [](const PartIndex& parts, const TupleIndex& tuples, Generator& random) {
    std::vector<double> x(static_cast<std::size_t>(tuples.size()));
    for (double& value : x) value = random_value(random);
    const PartValues y = random_part_values(random, parts);
    PartValues x_by_part;
    std::vector<double> y_by_tuple(x.size());
    tuples.to_parts(x, x_by_part);
    tuples.to_tuples(y, y_by_tuple);
    double product_of_parts = 0.0;
    for (Order order : kOrders) {
      const std::vector<double>& left = values_of(x_by_part, order);
      product_of_parts =
          std::inner_product(left.begin(), left.end(), values_of(y, order).begin(), product_of_parts);
    }
    EXPECT_EQ(product_of_parts, std::inner_product(x.begin(), x.end(), y_by_tuple.begin(), 0.0));
  });
}

TEST(ArcShape, IsDirectionAndBinnedDistance) {
  EXPECT_EQ(kArcShapes, 14);
  for (int distance = 1; distance <= 100; ++distance) {
    const int bin = distance > 10 ? 6 : distance > 5 ? 5 : distance - 1;
    EXPECT_EQ(arc_shape(distance + 3, 3), bin) << "leftward, " << distance;
    EXPECT_EQ(arc_shape(3, distance + 3), 7 + bin) << "rightward, " << distance;
  }
}

}  // namespace
}  // namespace copse
