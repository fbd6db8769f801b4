// Relations between distributions over the same long sentence, where both sides take different ways through
// the recursions: models within richer models, mirrored sentences, shifted potentials, constraints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "inference/expectations.h"
#include "inference/long_sentences.h"

namespace copse::testing {
namespace {

// Sentences for all pairs of things to compare: moderate length, full and sparse.
template <typename Check>
void for_each_sentence(int cases, Check check) {
  for (int number = 0; number < scaled(cases); ++number) {
    Generator random = case_generator(number);
    const RootMode root = kRootModes[number % 2];
    const int words = number % 4 < 2 ? uniform_int(random, 1, 22) : uniform_int(random, 7, 50);
    const bool is_sparse = number % 4 >= 2;
    const Factorization factorization = kFactorizations[number / 4 % 7];
    SCOPED_TRACE(case_name(number) + ": words " + std::to_string(words) +
                 (is_sparse ? " sparse " : " full ") + std::string(name(factorization)) + " " +
                 std::string(name(root)));
    LibraryInput input;
    const std::vector<Arc> arcs =
        is_sparse ? sparse_arcs(random, words, root) : random_arcs(random, words, 1);
    const PotentialKind kind = number % 3 == 0 ? PotentialKind::thousands : PotentialKind::normal;
    input.assign_random(random, words, factorization, root, arcs, kind);
    check(input, random);
    if (::testing::Test::HasFailure()) return;
  }
}

std::vector<Arc> arcs_of(const LibraryInput& input) {
  std::vector<Arc> arcs;
  for (int arc = 0; arc < input.arcs.size(); ++arc) arcs.push_back(input.arcs[arc]);
  return arcs;
}

void expect_same_answers(const LibraryInput& left_input, const LibraryInput& right_input, double shift = 0) {
  static TreeDistribution left;
  static TreeDistribution right;
  left_input.give_to(left);
  right_input.give_to(right);
  expect_close(left.log_partition() + shift, right.log_partition(), "log-partition");
  const double size = std::max(1.0, std::abs(left.log_partition()));
  EXPECT_NEAR(left.entropy(), right.entropy(), kTolerance * size);
  Heads heads(static_cast<std::size_t>(left_input.words()) + 1);
  const double best = left.best_tree(heads);
  expect_close(best + shift, right.best_tree(heads), "best score");
  std::vector<ScoredTree> left_trees;
  std::vector<ScoredTree> right_trees;
  left.k_best(12, left_trees);
  right.k_best(12, right_trees);
  ASSERT_EQ(left_trees.size(), right_trees.size());
  for (std::size_t rank = 0; rank < left_trees.size(); ++rank) {
    expect_close(left_trees[rank].score + shift, right_trees[rank].score, "score by rank");
  }
  const double right_arcs = left.min_risk_tree(heads);
  EXPECT_NEAR(right_arcs, right.min_risk_tree(heads), kTolerance * left_input.words());
}

TEST(TreeRelations, ARicherModelWithoutRicherPotentialsIsTheSame) {
  for_each_sentence(400, [](const LibraryInput& plain, Generator&) {
    const Factorization smaller = plain.parts.factorization();
    for (Factorization larger : kFactorizations) {
      const std::span<const Order> within = orders_of(larger);
      const std::span<const Order> own = orders_of(smaller);
      const bool is_larger = std::all_of(own.begin(), own.end(), [&](Order order) {
        return std::find(within.begin(), within.end(), order) != within.end();
      });
      if (!is_larger || larger == smaller) continue;
      SCOPED_TRACE("within " + std::string(name(larger)));
      LibraryInput rich;
      rich.assign_candidates(plain.words(), larger, plain.root, arcs_of(plain));
      for (Order order : orders_of(smaller))
        values_of(rich.potentials, order) = values_of(plain.potentials, order);
      expect_same_answers(plain, rich);
      TreeDistribution plain_distribution;
      TreeDistribution rich_distribution;
      plain.give_to(plain_distribution);
      rich.give_to(rich_distribution);
      for (Order order : orders_of(smaller)) {
        EXPECT_LE(largest_difference(values_of(plain_distribution.marginals(), order),
                                     values_of(rich_distribution.marginals(), order)),
                  kTolerance)
            << to_string(order);
      }
    }
  });
}

// Reversing the words turns projective trees into projective trees. The root stays on the left, so its own
// modifiers change their order; that does not matter if there is only one, or if nobody looks at siblings.
TEST(TreeRelations, MirroredSentencesHaveTheSameDistribution) {
  for_each_sentence(400, [](const LibraryInput& input, Generator&) {
    const Factorization factorization = input.parts.factorization();
    if (has_siblings(factorization) && input.root == RootMode::multi) return;
    const int words = input.words();
    const auto mirror = [words](int word) { return word == 0 ? 0 : words + 1 - word; };
    std::vector<Arc> arcs = arcs_of(input);
    for (auto& [head, modifier] : arcs) {
      head = mirror(head);
      modifier = mirror(modifier);
    }
    LibraryInput mirrored;
    mirrored.assign_candidates(words, factorization, input.root, arcs);
    for (Order order : orders_of(factorization)) {
      for_each_part(input.parts, order, [&](const Part& part, PartIndex::Position from) {
        const Part image{mirror(part.grandparent), mirror(part.head), mirror(part.sibling),
                         mirror(part.modifier), mirror(part.second_sibling)};
        const PartIndex::Position to = position(mirrored.parts, order, image);
        if (to == PartIndex::kNone) return;  // one of several modifiers of the root
        values_of(mirrored.potentials, order)[to] = values_of(input.potentials, order)[from];
      });
    }
    expect_same_answers(input, mirrored);
  });
}

TEST(TreeRelations, AConstantForAllHeadsOfAWordOnlyShiftsScores) {
  for_each_sentence(400, [](const LibraryInput& input, Generator& random) {
    LibraryInput shifted;
    shifted.assign_candidates(input.words(), input.parts.factorization(), input.root, arcs_of(input));
    shifted.potentials = input.potentials;
    double shift = 0;
    for (int word = 1; word <= input.words(); ++word) {
      const double constant = uniform(random, -100, 100);
      shift += constant;
      for (int arc : shifted.arcs.incoming(word)) shifted.potentials.arc[arc] += constant;
    }
    expect_same_answers(input, shifted, shift);
  });
}

// The partition is the sum over the heads of any one word, and the terms are that word's marginals.
TEST(TreeRelations, RequiredHeadsDivideThePartition) {
  for_each_sentence(400, [](LibraryInput& input, Generator& random) {
    static TreeDistribution whole;
    static TreeDistribution restricted;
    input.give_to(whole);
    const double log_partition = whole.log_partition();
    const double size = std::max(1.0, std::abs(log_partition));
    const int word = uniform_int(random, 1, input.words());
    for (int arc : input.arcs.incoming(word)) {
      input.constraints = {};
      input.constraints.heads.assign(static_cast<std::size_t>(input.words()) + 1, Constraints::kAnyHead);
      input.constraints.heads[word] = input.arcs[arc].head;
      input.give_to(restricted);
      double with_arc = 0;
      try {
        with_arc = std::exp(restricted.log_partition() - log_partition);
      } catch (const InfeasibleError&) {
        // Then no tree contains the arc: probability zero.
      }
      EXPECT_NEAR(with_arc, whole.marginals().arc[arc], kTolerance * size);

      input.constraints = {};
      input.constraints.forbidden = {input.arcs[arc]};
      input.give_to(restricted);
      double without_arc = 0;
      try {
        without_arc = std::exp(restricted.log_partition() - log_partition);
      } catch (const InfeasibleError&) {
        // Then every tree contains it.
      }
      EXPECT_NEAR(with_arc + without_arc, 1, kTolerance * size);
    }
  });
}

}  // namespace
}  // namespace copse::testing
