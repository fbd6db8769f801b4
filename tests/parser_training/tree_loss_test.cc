// Losses as functions of potentials, whatever gives them: derivatives against differences.
#include "parser_training/tree_loss.h"

#include <gtest/gtest.h>

#include "inference/random_cases.h"

namespace copse::testing {
namespace {

constexpr double kStep = 1e-5;

struct TreeLossCase {
  ArcSet arcs;
  PartIndex parts;
  Potentials potentials;
  Heads heads;
  bool is_complete = true;

  TreeLossCase(Generator& random, Factorization factorization, bool complete) : is_complete(complete) {
    const int words = uniform_int(random, 2, 6);
    arcs.assign_all(words);
    parts.assign(arcs, factorization);
    potentials.assign(parts);
    for (const PartKind kind : part_kinds(factorization)) {
      for (double& value : potentials[kind]) value = uniform(random, -1.5, 1.5);
    }
    const std::vector<Heads>& trees = all_projective_trees(words);
    heads = trees[static_cast<std::size_t>(uniform_int(random, 0, static_cast<int>(trees.size()) - 1))];
    if (complete) return;
    for (int word = 1; word <= words; ++word) {
      if (word == 1 || happens(random, 0.4)) heads[static_cast<std::size_t>(word)] = -1;
    }
  }
};

template <class Check>
void for_each_case(Check check) {
  for (int number = 0; number < scaled(40); ++number) {
    for (const Factorization factorization : kFactorizations) {
      for (const bool complete : {true, false}) {
        SCOPED_TRACE(case_name(number) + " " + std::string(name(factorization)));
        Generator random = case_generator(number);
        TreeLossCase input(random, factorization, complete);
        check(input, random);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(TreeLoss, CoefficientsAreTheDerivativesByPotentials) {
  TreeLoss loss{TreeSpace(RootMode::multi)};
  TreeLoss other{TreeSpace(RootMode::multi)};
  for_each_case([&](TreeLossCase& input, Generator& random) {
    loss.assign(input.parts, input.potentials, input.heads, input.is_complete);
    loss.differentiate();
    EXPECT_GE(loss.log_loss(), -1e-9);
    for (const PartKind kind : part_kinds(input.parts.factorization())) {
      for (int trial = 0; trial < 4; ++trial) {
        const auto part =
            static_cast<std::size_t>(uniform_int(random, 0, static_cast<int>(input.parts.count(kind)) - 1));
        Potentials moved = input.potentials;
        const auto loss_at = [&](double step) {
          moved[kind][part] = input.potentials[kind][part] + step;
          other.assign(input.parts, moved, input.heads, input.is_complete);
          return other.log_loss();
        };
        const double slope = (loss_at(kStep) - loss_at(-kStep)) / (2.0 * kStep);
        EXPECT_NEAR(loss.coefficients()[kind][part], slope, 1e-6) << name(kind) << " " << part;
      }
    }
  });
}

TEST(TreeLoss, GoldPartsAreThoseOfTheTreesThatAgree) {
  TreeLoss loss{TreeSpace(RootMode::multi)};
  for_each_case([&](TreeLossCase& input, Generator&) {
    loss.assign(input.parts, input.potentials, input.heads, input.is_complete);
    loss.differentiate();
    const PartKind largest = labelled_kind(input.parts.factorization());
    const std::vector<double> gold = loss.gold_labelled_parts();
    // Expected parts are what is gold and the coefficient together.
    const std::vector<double>& expected = loss.distribution().marginals()[largest];
    for (std::size_t part = 0; part < gold.size(); ++part) {
      EXPECT_NEAR(loss.coefficients()[largest][part] + gold[part], expected[part], 1e-12);
    }
    Heads tree;
    loss.gold_tree(tree);
    for (std::size_t word = 1; word < tree.size(); ++word) {
      if (input.heads[word] < 0) continue;
      EXPECT_EQ(tree[word], input.heads[word]);
    }
    // Against itself, nothing is to be changed.
    loss.compare(tree, tree);
    for (const double value : loss.coefficients()[largest]) EXPECT_EQ(value, 0.0);
  });
}

TEST(TreeLoss, MarginRaisesArcsThatContradictTheGoldTree) {
  for_each_case([&](TreeLossCase& input, Generator&) {
    Potentials raised = input.potentials;
    add_margin(input.parts, input.heads, 0.5, raised);
    for (int arc = 0; arc < input.arcs.size(); ++arc) {
      const int gold = input.heads[static_cast<std::size_t>(input.arcs[arc].modifier)];
      const bool contradicts = gold >= 0 && gold != input.arcs[arc].head;
      EXPECT_EQ(raised.arc[static_cast<std::size_t>(arc)],
                input.potentials.arc[static_cast<std::size_t>(arc)] + (contradicts ? 0.5 : 0.0));
    }
  });
}

}  // namespace
}  // namespace copse::testing
