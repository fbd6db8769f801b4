// What must hold for batches of any back end. Each check takes the distribution to ask.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <vector>

#include "batch/batch_case.h"
#include "inference/chi_square.h"

namespace copse::testing {

inline std::vector<Factorization> factorizations_of(const BatchDistribution& batch) {
  std::vector<Factorization> result;
  std::copy_if(kFactorizations.begin(), kFactorizations.end(), std::back_inserter(result),
               [&](Factorization factorization) { return batch.has(factorization); });
  return result;
}
// Parts of fourth order are too many in long sentences with all arcs.
inline int most_words(Factorization factorization) { return has_second_siblings(factorization) ? 17 : 100; }

inline constexpr std::array kTreeKinds{TreeKind::projective, TreeKind::nonprojective};

// Random short sentences of every kind, of one factorization and root mode, in one batch, against enumeration
// (whose answers TreeDistribution's tests compare with those of TreeDistribution, the reference here too).
template <class Number>
void expect_short_sentences(BatchDistribution& batch, int cases_per_length,
                            std::span<const TreeKind> tree_kinds = kTreeKinds) {
  for (const Factorization factorization : factorizations_of(batch)) {
    for (const RootMode root : kRootModes) {
      for (const TreeKind trees : tree_kinds) {
        if (trees == TreeKind::nonprojective && factorization != Factorization::first) continue;
        BatchInput<Number> input;
        input.factorization = factorization;
        input.trees = {root, trees};
        std::vector<TreeModel> models;
        for (int words = 1; words <= kMostEnumeratedWords; ++words) {
          for (int i = 0; i < scaled(cases_per_length); ++i) {
            const int number = words * 1000 + i;
            Generator random = case_generator(number);
            CaseKind kind = case_kind(words, number);
            kind.factorization = factorization;
            kind.root = root;
            kind.is_constrained = false;
            models.push_back(random_model(random, kind));
            models.back().kind = trees;
            for (Order order : orders_of(factorization)) {
              for_each_conceivable_part(order, words, [&](const Part& part) {
                double& x = models.back().potentials.at(order, part);
                x = static_cast<Number>(x);
              });
            }
            input.add().assign(models.back());
          }
        }
        const BatchOutput<Number> output = compute_all(batch, input);
        for (int s = 0; s < input.size(); ++s) {
          const TreeModel& model = models[static_cast<std::size_t>(s)];
          SCOPED_TRACE(case_name(s) + ": words " + std::to_string(model.words) + " " +
                       std::string(name(factorization)) + " " + std::string(name(root)) + " " +
                       std::string(name(trees)));
          expect_as_reference(batch, input, output, s);
          const Enumeration oracle(model);
          if (oracle.is_feasible()) {
            const auto log_partition = static_cast<double>(oracle.log_partition());
            EXPECT_NEAR(output.log_partition[static_cast<std::size_t>(s)], log_partition,
                        batch_tolerance<Number>() * std::max(1.0, std::abs(log_partition)));
          }
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

// Sentences of mixed lengths, full and sparse, in one batch.
template <class Number>
void expect_long_sentences(BatchDistribution& batch, std::span<const int> lengths, PotentialKind kind) {
  for (const Factorization factorization : factorizations_of(batch)) {
    for (const RootMode root : kRootModes) {
      BatchInput<Number> input;
      input.factorization = factorization;
      input.trees = root;
      int number = 0;
      for (const int wanted : lengths) {
        const int words = std::min(wanted, most_words(factorization));
        for (const bool is_sparse : {false, true}) {
          Generator random = case_generator(++number);
          const std::vector<Arc> arcs = is_sparse ? random_arcs(random, words, 6.0 / (words + 1),
                                                                random_projective_tree(random, words, root))
                                                  : random_arcs(random, words, 1);
          input.add().assign_random(random, words, factorization, root, arcs, kind);
        }
      }
      input.round();
      const BatchOutput<Number> output = compute_all(batch, input, 2);
      for (int s = 0; s < input.size(); ++s) {
        SCOPED_TRACE(case_name(s) + ": words " + std::to_string(input.inputs[s]->words()) + " " +
                     std::string(name(factorization)) + " " + std::string(name(root)) + " " +
                     std::string(name(kind)));
        expect_as_reference(batch, input, output, s, 2);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

// Bad sentences between good ones: their status says so, and the others have the same bits as alone.
template <class Number>
void expect_bad_sentences_apart(BatchDistribution& batch) {
  for (const Factorization factorization : factorizations_of(batch)) {
    BatchInput<Number> input;
    input.factorization = factorization;
    for (int s = 0; s < 7; ++s) {
      Generator random = case_generator(s);
      input.add().assign_random(random, 5, factorization, RootMode::multi, random_arcs(random, 5, 1),
                                PotentialKind::normal);
    }
    input.round();
    const BatchOutput<Number> before = compute_all(batch, input);
    const PartKind largest = labelled_kind(factorization);
    std::vector<double>& bad = input.inputs[1]->potentials[largest];
    bad[bad.size() / 2] = std::numeric_limits<double>::quiet_NaN();
    input.inputs[3]->potentials.arc[7] = std::numeric_limits<double>::infinity();
    for (const int arc : input.inputs[5]->arcs.incoming(2)) {
      input.inputs[5]->potentials.arc[arc] = -std::numeric_limits<double>::infinity();
    }
    const BatchOutput<Number> after = compute_all(batch, input);
    using enum SentenceStatus;
    EXPECT_EQ(after.status, (std::vector{fine, bad_potential, fine, bad_potential, fine, infeasible, fine}));
    EXPECT_TRUE(std::isnan(after.log_partition[1]) && std::isnan(after.best_score[3]));
    EXPECT_EQ(after.log_partition[5], -std::numeric_limits<Number>::infinity());
    for (int s = 0; s < 7; ++s) {
      const auto at = static_cast<std::size_t>(s);
      const Marginals marginals = after.marginals_of(batch, s);
      if (after.status[at] == fine) {
        EXPECT_EQ(after.log_partition[at], before.log_partition[at]);
        for (const PartKind kind : kAllPartKinds)
          EXPECT_EQ(marginals[kind], before.marginals_of(batch, s)[kind]);
        continue;
      }
      for (const PartKind kind : kAllPartKinds) {
        for (const double x : marginals[kind]) ASSERT_EQ(x, 0.0);
      }
      EXPECT_EQ(after.heads_of(after.best_heads, batch, s), (Heads{0, -1, -1, -1, -1, -1}));
    }
  }
}

// Samples have the probabilities that enumeration says, and are the same for the same seed only.
inline void expect_right_samples(BatchDistribution& batch,
                                 std::span<const TreeKind> tree_kinds = kTreeKinds) {
  constexpr int kSamples = 4000;
  for (const Factorization factorization : factorizations_of(batch)) {
    for (const RootMode root : kRootModes) {
      for (const TreeKind trees : tree_kinds) {
        if (trees == TreeKind::nonprojective && factorization != Factorization::first) continue;
        CaseKind kind = case_kind(4, 0);
        kind.factorization = factorization;
        kind.root = root;
        kind.candidates = CandidateKind::full;
        kind.potentials = PotentialKind::normal;
        kind.is_constrained = false;
        Generator random = case_generator(static_cast<int>(factorization));
        TreeModel model = random_model(random, kind);
        model.kind = trees;
        BatchInput<double> input;
        input.factorization = factorization;
        input.trees = {root, trees};
        input.add().assign(model);
        input.add().assign(model);
        const BatchOutput<double> output = compute_all(batch, input, kSamples, 5);
        EXPECT_EQ(output.sampled_heads, compute_all(batch, input, kSamples, 5).sampled_heads);
        EXPECT_NE(output.sampled_heads, compute_all(batch, input, kSamples, 6).sampled_heads);
        const Enumeration oracle(model);
        std::array<std::map<Heads, int>, 2> frequencies;
        for (int s = 0; s < 2; ++s) {
          for (int sample = 0; sample < kSamples; ++sample) {
            ++frequencies[s][output.heads_of(output.sampled_heads, batch, s, sample)];
          }
          const Cells cells = make_cells(oracle, frequencies[s], kSamples);
          const int degrees = static_cast<int>(cells.expected_and_observed.size()) - 1;
          EXPECT_LT(cells.statistic(), chi_square_limit(degrees)) << name(factorization) << " " << name(root);
        }
        // Sentences draw independently of each other.
        EXPECT_NE(output.heads_of(output.sampled_heads, batch, 0, 0), Heads{});
        int same = 0;
        for (int sample = 0; sample < kSamples; ++sample) {
          same += output.heads_of(output.sampled_heads, batch, 0, sample) ==
                  output.heads_of(output.sampled_heads, batch, 1, sample);
        }
        double expected = 0.0;
        for (const auto& [heads, count] : frequencies[0]) {
          expected += static_cast<double>(count) * frequencies[1][heads] / kSamples;
        }
        EXPECT_NEAR(same, expected, 0.04 * kSamples) << name(factorization) << " " << name(root);
      }
    }
  }
}

// The same bits twice.
template <class Number>
void expect_same_bits(BatchDistribution& batch, BatchDistribution& other, std::span<const int> lengths) {
  for (const Factorization factorization : factorizations_of(batch)) {
    BatchInput<Number> input;
    input.factorization = factorization;
    for (const int wanted : lengths) {
      const int words = std::min(wanted, most_words(factorization));
      Generator random = case_generator(words);
      input.add().assign_random(random, words, factorization, RootMode::multi, random_arcs(random, words, 1),
                                PotentialKind::tens);
    }
    input.round();
    const BatchOutput<Number> first = compute_all(batch, input);
    EXPECT_TRUE(first == compute_all(batch, input)) << name(factorization);
    EXPECT_TRUE(first == compute_all(other, input)) << name(factorization);
  }
}

}  // namespace copse::testing
