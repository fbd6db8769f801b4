// One object for many sentences, and many questions to one object: nothing of the past may show.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inference/library_input.h"
#include "inference/operations.h"

namespace copse::testing {
namespace {

// No answer if there is no tree.
std::optional<std::vector<double>> answer(const Operation& operation, TreeDistribution& distribution,
                                          int words) {
  try {
    return operation.answer(distribution, words);
  } catch (const InfeasibleError&) {
    return std::nullopt;
  }
}

std::optional<std::vector<double>> answer_of_fresh_object(const Operation& operation,
                                                          const LibraryInput& input, Arithmetic arithmetic) {
  TreeDistribution distribution;
  input.give_to(distribution, arithmetic);
  return answer(operation, distribution, input.words());
}

struct Draw {
  std::string description;
  Arithmetic arithmetic;
};

// Assigns a sentence of any length and kind to an object that has seen others.
Draw assign_any_sentence(Generator& random, LibraryInput& input) {
  const int words = happens(random, 0.2) ? uniform_int(random, 15, 25) : uniform_int(random, 1, 14);
  const CaseKind kind = case_kind(words, uniform_int(random, 0, kCombinations - 1));
  input.assign_random(random, words, kind.factorization, kind.root,
                      random_candidates(random, kind.candidates, words, kind.root), kind.potentials);
  if (kind.is_constrained) input.constraints = random_constraints(random, words, kind.root);
  const Arithmetic arithmetic = happens(random, 0.5) ? Arithmetic::automatic : Arithmetic::log;
  return {describe(kind) + ", arithmetic " + to_string(arithmetic), arithmetic};
}

// Arrays that a caller hands over in exchange for the marginals become working memory.
TEST(TreeWorkspace, WhatStoodInExchangedArraysDoesNotShow) {
  LibraryInput input;
  TreeDistribution reused;
  for (int number = 0; number < scaled(400); ++number) {
    Generator random = case_generator(number);
    const Draw draw = assign_any_sentence(random, input);
    SCOPED_TRACE(case_name(number) + ": " + draw.description);
    input.give_to(reused, draw.arithmetic);
    TreeDistribution fresh;
    input.give_to(fresh, draw.arithmetic);
    try {
      const Marginals& expected = fresh.marginals();
      const Marginals& found = reused.marginals();
      for (const PartKind kind : kAllPartKinds) EXPECT_EQ(expected[kind], found[kind]) << name(kind);
      Marginals exchanged;
      exchanged.assign(input.parts, std::numeric_limits<double>::quiet_NaN());
      reused.move_marginals_to(exchanged);
    } catch (const InfeasibleError&) {
      continue;
    }
  }
}

TEST(TreeWorkspace, AReusedObjectAnswersLikeAFreshOne) {
  LibraryInput input;
  TreeDistribution reused;
  for (int number = 0; number < scaled(600); ++number) {
    Generator random = case_generator(number);
    const Draw draw = assign_any_sentence(random, input);
    SCOPED_TRACE(case_name(number) + ": " + draw.description);
    input.give_to(reused, draw.arithmetic);
    for (const Operation& operation : kOperations) {
      const auto first_answer = answer(operation, reused, input.words());
      EXPECT_EQ(first_answer, answer_of_fresh_object(operation, input, draw.arithmetic)) << operation.name;
      EXPECT_EQ(first_answer, answer(operation, reused, input.words())) << operation.name << " asked again";
    }
    if (HasFailure()) return;
  }
}

TEST(TreeWorkspace, TheOrderOfQuestionsDoesNotMatter) {
  LibraryInput input;
  TreeDistribution distribution;
  for (int number = 0; number < scaled(600); ++number) {
    Generator random = case_generator(number);
    const Draw draw = assign_any_sentence(random, input);
    SCOPED_TRACE(case_name(number) + ": " + draw.description);
    std::array operations = kOperations;
    std::shuffle(operations.begin(), operations.end(), random);
    input.give_to(distribution, draw.arithmetic);
    std::string asked_before;
    for (const Operation& operation : operations) {
      EXPECT_EQ(answer(operation, distribution, input.words()),
                answer_of_fresh_object(operation, input, draw.arithmetic))
          << operation.name << " after" << asked_before;
      asked_before += std::string(" ") + operation.name;
    }
    if (HasFailure()) return;
  }
}

// The potentials are borrowed: the same arrays with new contents are a new sentence once assigned.
TEST(TreeWorkspace, ChangedPotentialsCountFromTheNextAssign) {
  Generator random = case_generator(0);
  LibraryInput input;
  TreeDistribution distribution;
  for (Factorization factorization : kFactorizations) {
    SCOPED_TRACE(name(factorization));
    input.assign_random(random, 8, factorization, RootMode::single, random_arcs(random, 8, 1),
                        PotentialKind::normal);
    input.give_to(distribution);
    const double before = distribution.log_partition();
    distribution.marginals();
    for (double& potential : input.potentials.arc) potential += 1;
    input.give_to(distribution);
    EXPECT_NEAR(distribution.log_partition(), before + 8, 1e-9);
  }
}

TEST(TreeWorkspace, MovedObjectsTakeTheirSentenceAlong) {
  Generator random = case_generator(0);
  LibraryInput input;
  input.assign_random(random, 10, Factorization::grandsibling, RootMode::multi, random_arcs(random, 10, 1),
                      PotentialKind::normal);
  TreeDistribution original;
  input.give_to(original);
  const double log_partition = original.log_partition();
  TreeDistribution constructed(std::move(original));
  EXPECT_EQ(constructed.log_partition(), log_partition);
  TreeDistribution assigned;
  assigned = std::move(constructed);
  for (const Operation& operation : kOperations) {
    EXPECT_EQ(answer(operation, assigned, 10),
              answer_of_fresh_object(operation, input, Arithmetic::automatic))
        << operation.name;
  }
}

}  // namespace
}  // namespace copse::testing
