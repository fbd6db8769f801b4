// Potentials at the limits of double precision: log Z is right, or the potentials are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "inference/parts.h"

namespace copse::testing {
namespace {

constexpr int kWords = 5;
constexpr double kLowest = std::numeric_limits<double>::lowest();

class TreeOverflow : public ::testing::TestWithParam<Factorization> {
 protected:
  TreeOverflow() {
    arcs_.assign_all(kWords);
    parts_.assign(arcs_, GetParam());
    potentials_.assign(parts_);
  }
  void assign(TreeKind kind = TreeKind::projective) {
    distribution_.assign(parts_, potentials_, {RootMode::multi, kind});
  }

  ArcSet arcs_;
  PartIndex parts_;
  Potentials potentials_;
  TreeDistribution distribution_;
};

INSTANTIATE_TEST_SUITE_P(All, TreeOverflow, ::testing::ValuesIn(kFactorizations),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(TreeOverflow, PotentialsThatCannotBeSummedAreRefused) {
  for (const double large : {1e308, 1.1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    for (const PartKind kind : part_kinds(GetParam())) {
      SCOPED_TRACE(std::string(name(kind)) + " " + std::to_string(large));
      potentials_.assign(parts_, large);
      EXPECT_THROW(assign(), std::invalid_argument);
      for (const std::size_t position : {std::size_t{0}, potentials_[kind].size() - 1}) {
        potentials_.assign(parts_, 0.0);
        potentials_[kind][position] = large;
        EXPECT_THROW(assign(), std::invalid_argument) << position;
      }
      // Two that would cancel are refused as well: sums come in an order of their own.
      if (kind == PartKind::arc || std::isnan(large)) continue;
      potentials_.assign(parts_, 0.0);
      potentials_[kind].assign(potentials_[kind].size(), large);
      potentials_.arc.assign(potentials_.arc.size(), -large);
      EXPECT_THROW(assign(), std::invalid_argument);
    }
  }
}

TEST_P(TreeOverflow, TheLargestPotentialsAreSummedRightly) {
  const double count = static_cast<double>(part_kinds(GetParam()).size());
  for (const double size : {kLargestPotential / count, -kLargestPotential, -1e306}) {
    potentials_.assign(parts_, size);
    assign();
    // Words that all hang on the root have one outermost modifier among them, those of a chain one each.
    const bool has_outermost = contains(GetParam(), PartKind::outermost);
    const double expected = has_outermost && size < 0 ? (2 * kWords + 1) * size : kWords * count * size;
    EXPECT_NEAR(distribution_.log_partition() / expected, 1.0, 1e-12);
    std::vector<int> heads(kWords + 1);
    EXPECT_NEAR(distribution_.best_tree(heads) / expected, 1.0, 1e-12);
  }
}

TEST_P(TreeOverflow, ScoresThatOverflowBelowZeroAreNoLogPartition) {
  potentials_.assign(parts_, kLowest);
  const auto ask = [&] {
    assign();
    return distribution_.log_partition();
  };
  EXPECT_ANY_THROW(ask());
  // Where some trees do not overflow, those are all that counts.
  potentials_.assign(parts_, 0.0);
  potentials_.arc.assign(potentials_.arc.size(), kLowest);
  for (int modifier = 1; modifier <= kWords; ++modifier) {
    potentials_.arc[static_cast<std::size_t>(parts_.arc(modifier - 1, modifier))] = -1.0;
  }
  assign();
  EXPECT_DOUBLE_EQ(distribution_.log_partition(), -kWords);
}

TEST(NonprojectiveOverflow, LogPartitionIsRightOrRefused) {
  ArcSet arcs;
  arcs.assign_all(kWords);
  PartIndex parts;
  parts.assign(arcs, Factorization::first);
  Potentials potentials;
  const auto log_partition = [&](double potential) {
    potentials.assign(parts, potential);
    TreeDistribution distribution;
    distribution.assign(parts, potentials, {RootMode::multi, TreeKind::nonprojective});
    return distribution.log_partition();
  };
  EXPECT_THROW(log_partition(1e308), std::invalid_argument);
  EXPECT_THROW(log_partition(kLowest), std::invalid_argument);
  EXPECT_NEAR(log_partition(kLargestPotential) / (kWords * kLargestPotential), 1.0, 1e-12);
}

}  // namespace
}  // namespace copse::testing
