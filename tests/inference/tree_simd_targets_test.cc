// The sweeps on every instruction set of the machine: against enumeration, and against each other on
// sentences whose rows are longer than any vector.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "every_simd_target.h"
#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/operations.h"
#include "inference/random_cases.h"

namespace copse::testing {
namespace {

TEST(SimdTargets, SumsAndMaximaAgreeWithEnumeration) {
  on_every_simd_target([] {
    for_each_random_model(kCombinations / 2, [](const CaseKind& kind, const TreeModel& model, Generator&) {
      const Enumeration oracle(model);
      if (!oracle.is_feasible()) return;
      const LibraryInput input(model);
      under_every_arithmetic(input, is_extreme(kind.potentials), [&](TreeDistribution& distribution) {
        expect_close(oracle.log_partition(), distribution.log_partition(), "log-partition");
        expect_marginals(oracle.marginals(), input.parts, distribution.marginals());
        Heads heads = no_heads(model.words);
        expect_close(oracle.trees().front().score, distribution.best_tree(heads), "best score");
        expect_close(oracle.trees().front().score,
                     oracle.score(heads) == kImpossible ? -std::numeric_limits<double>::infinity()
                                                        : static_cast<double>(oracle.score(heads)),
                     "best tree");
      });
    });
  });
}

struct Answers {
  double log_partition;
  Marginals marginals;
  Heads best;
};

TEST(SimdTargets, AgreeOnLongSentences) {
  for (const Factorization factorization : kFactorizations) {
    for (const double density : {1.1, 0.3}) {
      for (const int words : {17, 45}) {
        for (const Arithmetic arithmetic : {Arithmetic::automatic, Arithmetic::log}) {
          Generator random = case_generator(words);
          ArcSet arcs;
          std::vector<Arc> candidates = random_arcs(random, words, density);
          for (int word = 1; word <= words; ++word) candidates.push_back({word - 1, word});
          arcs.assign(words, candidates);
          PartIndex parts;
          parts.assign(arcs, factorization);
          Potentials potentials;
          potentials.assign(parts);
          for (const PartKind kind : part_kinds(factorization)) {
            for (double& value : potentials[kind]) value = uniform(random, -2.0, 2.0);
          }
          std::optional<Answers> first;
          on_every_simd_target([&] {
            TreeDistribution distribution;
            distribution.assign(parts, potentials, RootMode::single, {}, arithmetic);
            Answers answers{distribution.log_partition(), distribution.marginals(), no_heads(words)};
            distribution.best_tree(answers.best);
            if (!first) {
              first = answers;
              expect_coherent(parts, answers.marginals);
              return;
            }
            EXPECT_NEAR(answers.log_partition, first->log_partition, 1e-9);
            EXPECT_EQ(answers.best, first->best);
            for (const PartKind kind : part_kinds(factorization)) {
              EXPECT_LE(largest_difference(answers.marginals[kind], first->marginals[kind]), kTolerance);
            }
          });
        }
      }
    }
  }
}

}  // namespace
}  // namespace copse::testing
