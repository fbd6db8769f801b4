// A workspace that has seen the largest sentence allocates no more.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "counted_allocations.h"
#include "inference/library_input.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

constexpr int kMostWords = 24;
constexpr int kTrees = 10;

// Everything that exists before the library is called.
struct Sentence {
  int words;
  RootMode root;
  std::vector<Arc> candidates;
  Constraints constraints;
  PotentialKind potentials;
  Arithmetic arithmetic;
};

// The objects that a user keeps from sentence to sentence.
struct Workspace {
  ArcSet arcs;
  PartIndex parts;
  Potentials potentials;
  TreeDistribution distribution;
  std::vector<ScoredTree> trees;
  Heads heads = no_heads(kMostWords);
};

// Notes which steps allocated, without allocating itself.
class AllocationNotes {
 public:
  AllocationNotes() {
    guilty_.reserve(20);
    seen_ = allocations;
  }
  void after(const char* step) {
    if (allocations != seen_) guilty_.push_back(step);
    seen_ = allocations;
  }
  const std::vector<const char*>& guilty() const { return guilty_; }

 private:
  std::vector<const char*> guilty_;
  long seen_;
};

std::vector<const char*> steps_that_allocate(Workspace& workspace, const Sentence& sentence,
                                             Factorization factorization, Generator& random) {
  AllocationNotes notes;
  workspace.arcs.assign(sentence.words, sentence.candidates);
  notes.after("ArcSet::assign");
  workspace.parts.assign(workspace.arcs, factorization);
  notes.after("PartIndex::assign");
  workspace.potentials.assign(workspace.parts);
  notes.after("Potentials::assign");
  for (Order order : orders_of(factorization)) {
    for (double& potential : values_of(workspace.potentials, order)) {
      potential = draw_potential(random, sentence.potentials);
    }
  }
  const std::span<int> heads(workspace.heads.data(), static_cast<std::size_t>(sentence.words) + 1);
  TreeDistribution& distribution = workspace.distribution;
  distribution.assign(workspace.parts, workspace.potentials, sentence.root, sentence.constraints,
                      sentence.arithmetic);
  notes.after("assign");
  distribution.log_partition();
  notes.after("log_partition");
  distribution.marginals();
  notes.after("marginals");
  distribution.entropy();
  notes.after("entropy");
  distribution.min_risk_tree(heads);
  notes.after("min_risk_tree");
  for (int draw = 0; draw < 5; ++draw) distribution.sample(random, heads);
  notes.after("sample");
  distribution.best_tree(heads);
  notes.after("best_tree");
  distribution.log_probability(heads);
  notes.after("log_probability");
  distribution.k_best(kTrees, workspace.trees);
  notes.after("k_best");
  return notes.guilty();
}

// A list shortened by a sentence of few trees has lost the memory of the elements behind its end, whatever
// the library does.
void restore_trees(std::vector<ScoredTree>& trees) {
  trees.resize(kTrees);
  for (ScoredTree& tree : trees) tree.heads.reserve(kMostWords + 1);
}

Sentence largest_sentence(RootMode root, Arithmetic arithmetic, bool is_constrained) {
  Generator random = case_generator(0);
  Sentence sentence{kMostWords, root, random_arcs(random, kMostWords, 1), {}, PotentialKind::normal,
                    arithmetic};
  if (is_constrained) {
    sentence.constraints.heads.assign(kMostWords + 1, Constraints::kAnyHead);
    sentence.constraints.forbidden = random_arcs(random, kMostWords, 0.01);
  }
  return sentence;
}

Sentence smaller_sentence(Generator& random) {
  Sentence sentence{};
  sentence.words = uniform_int(random, 1, kMostWords);
  sentence.root = happens(random, 0.5) ? RootMode::multi : RootMode::single;
  const Heads tree = random_projective_tree(random, sentence.words, sentence.root);
  sentence.candidates = random_arcs(random, sentence.words, happens(random, 0.3) ? 1 : 0.4, tree);
  sentence.potentials = happens(random, 0.7) ? PotentialKind::normal : PotentialKind::thousands;
  sentence.arithmetic = happens(random, 0.5) ? Arithmetic::automatic : Arithmetic::log;
  if (happens(random, 0.3)) {
    sentence.constraints.heads = tree;
    for (int& head : sentence.constraints.heads) {
      if (happens(random, 0.7)) head = Constraints::kAnyHead;
    }
  }
  return sentence;
}

class TreeAllocation : public ::testing::TestWithParam<Factorization> {};

INSTANTIATE_TEST_SUITE_P(EveryFactorization, TreeAllocation, ::testing::ValuesIn(kFactorizations),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(TreeAllocationCounter, SeesAllocationsOfTheLibrary) {
  const long before = allocations;
  ArcSet arcs;
  arcs.assign_all(5);
  EXPECT_GT(allocations, before);
}

TEST_P(TreeAllocation, NothingAfterTheLargestSentence) {
  Workspace workspace;
  Generator random = case_generator(0);
  for (RootMode root : kRootModes) {
    for (Arithmetic arithmetic : {Arithmetic::automatic, Arithmetic::log}) {
      for (bool is_constrained : {false, true}) {
        steps_that_allocate(workspace, largest_sentence(root, arithmetic, is_constrained), GetParam(),
                            random);
      }
    }
  }
  for (int number = 1; number <= scaled(1000); ++number) {
    SCOPED_TRACE(case_name(number));
    random = case_generator(number);
    const Sentence sentence = smaller_sentence(random);
    restore_trees(workspace.trees);
    const std::vector<const char*> guilty = steps_that_allocate(workspace, sentence, GetParam(), random);
    EXPECT_TRUE(guilty.empty()) << ::testing::PrintToString(
                                       std::vector<std::string>(guilty.begin(), guilty.end()))
                                << " words " << sentence.words << " root " << name(sentence.root) << " arcs "
                                << sentence.candidates.size() << " potentials " << name(sentence.potentials)
                                << " " << to_string(sentence.arithmetic)
                                << (sentence.constraints.heads.empty() ? "" : ", constrained");
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace copse::testing
