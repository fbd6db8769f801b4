// A workspace that has seen the largest chain allocates no more.
#include <gtest/gtest.h>

#include "counted_allocations.h"
#include "sequence/chain_distribution.h"
#include "sequence/chain_enumeration.h"

namespace copse::testing {
namespace {

constexpr int kPositions = 40;
constexpr int kLabels = 6;

struct Workspace {
  ChainParts parts;
  ChainValues potentials;
  ChainDistribution distribution;
  std::vector<int> labels;

  void answer_everything(int order, const std::vector<int>& candidates, Generator& random, double spread) {
    std::normal_distribution<double> normal(0.0, spread);
    parts.assign(order, candidates);
    potentials.assign(parts);
    for (auto* list : {&potentials.labels, &potentials.pairs, &potentials.triples}) {
      for (double& value : *list) value = normal(random);
    }
    distribution.assign(parts, potentials);
    distribution.log_partition();
    distribution.marginals();
    distribution.entropy();
    labels.resize(candidates.size());
    distribution.best(labels);
  }
};

TEST(ChainAllocation, NothingAfterTheLargestChain) {
  Workspace workspace;
  Generator random = case_generator(0);
  const std::vector<int> largest(kPositions, kLabels);
  for (int order = 0; order <= 2; ++order) workspace.answer_everything(order, largest, random, 1.0);
  for (int number = 1; number <= scaled(300); ++number) {
    SCOPED_TRACE(case_name(number));
    random = case_generator(number);
    const std::vector<int> candidates = random_candidates(random, uniform(random, 0, kPositions), kLabels);
    const double spread = number % 2 == 0 ? 1.0 : 1000.0;
    const long before = allocations;
    workspace.answer_everything(number % 3, candidates, random, spread);
    EXPECT_EQ(allocations, before);
  }
}

TEST(ChainAllocation, TheCounterSeesTheLibrary) {
  const long before = allocations;
  ChainParts parts;
  parts.assign(1, std::vector<int>{1, 2});
  EXPECT_GT(allocations, before);
}

}  // namespace
}  // namespace copse::testing
