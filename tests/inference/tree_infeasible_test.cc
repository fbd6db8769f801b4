// Sentences without a tree, and potentials that are not numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/operations.h"
#include "numeric/numbers.h"

namespace copse::testing {
namespace {

class Infeasible : public ::testing::TestWithParam<Factorization> {
 protected:
  void make(int words, RootMode root, const std::vector<Arc>& candidates) {
    input_.assign_candidates(words, GetParam(), root, candidates);
  }
  void make_full(int words, RootMode root) {
    Generator unused = case_generator(0);
    make(words, root, random_arcs(unused, words, 1));
  }
  void expect_infeasible_under_every_arithmetic() {
    under_every_arithmetic(input_, false, [&](TreeDistribution& distribution) {
      expect_infeasible(distribution, input_.words());
    });
  }
  void expect_feasible() {
    under_every_arithmetic(input_, false, [&](TreeDistribution& distribution) {
      EXPECT_TRUE(std::isfinite(distribution.log_partition()));
      expect_coherent(input_.parts, distribution.marginals());
    });
  }

  LibraryInput input_;
};

INSTANTIATE_TEST_SUITE_P(EveryFactorization, Infeasible, ::testing::ValuesIn(kFactorizations),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(Infeasible, NoCandidates) {
  make(3, RootMode::multi, {});
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, AWordWithoutHead) {
  make(3, RootMode::multi, {{0, 1}, {0, 2}, {1, 2}, {2, 1}});
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, OnlyCycles) {
  make(2, RootMode::multi, {{1, 2}, {2, 1}});
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, OnlyCrossingArcs) {
  make(4, RootMode::multi, {{0, 1}, {1, 3}, {4, 2}, {1, 4}});
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, TwoWordsThatOnlyTheRootCanHead) {
  make(2, RootMode::single, {{0, 1}, {0, 2}});
  expect_infeasible_under_every_arithmetic();
  make(2, RootMode::multi, {{0, 1}, {0, 2}});
  expect_feasible();
}

TEST_P(Infeasible, RequiredHeadThatIsNoCandidate) {
  make(2, RootMode::multi, {{0, 1}, {1, 2}});
  input_.constraints.heads = {0, 2, Constraints::kAnyHead};
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, RequiredAndForbidden) {
  make_full(3, RootMode::multi);
  input_.constraints.heads = {0, 2, Constraints::kAnyHead, Constraints::kAnyHead};
  expect_feasible();
  input_.constraints.forbidden = {{2, 1}};
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, RequiredHeadsThatCross) {
  make_full(4, RootMode::multi);
  input_.constraints.heads = {0, 3, 4, Constraints::kAnyHead, Constraints::kAnyHead};
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, TwoRequiredRoots) {
  make_full(3, RootMode::single);
  input_.constraints.heads = {0, 0, Constraints::kAnyHead, 0};
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, AllHeadsOfAWordForbidden) {
  make_full(3, RootMode::multi);
  input_.constraints.forbidden = {{0, 2}, {1, 2}, {3, 2}};
  expect_infeasible_under_every_arithmetic();
}

TEST_P(Infeasible, EveryTreeHasAnImpossiblePart) {
  for (Order order : orders_of(GetParam())) {
    SCOPED_TRACE(to_string(order));
    make_full(4, RootMode::multi);
    for_each_conceivable_part(order, 4, [&](const Part& part) {
      const PartIndex::Position found = position(input_.parts, order, part);
      // Word 3 need not be an outermost modifier, but the root has one.
      const bool is_in_every_tree = order == Order::outermost ? part.head == 0 : part.modifier == 3;
      if (found != PartIndex::kNone && is_in_every_tree)
        values_of(input_.potentials, order)[found] = kMinusInfinity;
    });
    expect_infeasible_under_every_arithmetic();
  }
}

TEST_P(Infeasible, TheMessageSaysSomething) {
  make(1, RootMode::single, {});
  TreeDistribution distribution;
  input_.give_to(distribution);
  try {
    distribution.log_partition();
    FAIL() << "there is no tree";
  } catch (const InfeasibleError& error) {
    EXPECT_GT(std::string(error.what()).size(), 10u);
  }
}

TEST_P(Infeasible, NoTreeHasAScore) {
  make(2, RootMode::single, {{0, 1}, {0, 2}});
  TreeDistribution distribution;
  input_.give_to(distribution);
  for_each_head_vector(2, [&](const Heads& heads) { EXPECT_EQ(distribution.score(heads), kMinusInfinity); });
}

TEST_P(Infeasible, TheNextSentenceIsNotAffected) {
  TreeDistribution distribution;
  make(3, RootMode::multi, {{0, 1}});
  input_.give_to(distribution);
  expect_infeasible(distribution, 3);
  make_full(3, RootMode::multi);
  input_.give_to(distribution);
  EXPECT_NEAR(distribution.log_partition(), std::log(12.0), kTolerance);
}

TEST_P(Infeasible, PotentialsThatAreNoNumbersAreRefused) {
  TreeDistribution distribution;
  for (Order order : orders_of(GetParam())) {
    for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      make_full(3, RootMode::multi);
      std::vector<double>& values = values_of(input_.potentials, order);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double good = std::exchange(values[i], bad);
        for (Arithmetic arithmetic : kArithmetics) {
          EXPECT_THROW(input_.give_to(distribution, arithmetic), std::invalid_argument)
              << to_string(order) << " " << i << " " << bad;
        }
        values[i] = good;
      }
      input_.give_to(distribution);
      EXPECT_NEAR(distribution.log_partition(), std::log(12.0), kTolerance);
    }
  }
}

}  // namespace
}  // namespace copse::testing
