#include "parser_training/feature_selection.h"

#include <gtest/gtest.h>

#include "optimisers/regularised_loss.h"
#include "parser_training/example.h"
#include "parser_training/template_selection.h"
#include "parser_training/tiny_problem.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

FeatureIndex index_of(const std::vector<std::uint32_t>& counts) {
  FeatureIndex index;
  index.counts = counts;
  for (std::size_t k = 0; k < counts.size(); ++k) index.hashes.push_back(k * 0x9E3779B97F4A7C15ULL);
  index.number_features();
  return index;
}

TEST(FeatureSelection, KeepsTheLargestWeightsInTheirOrder) {
  const FeatureIndex index = index_of({1, 1, 1, 1, 1});
  const std::vector<float> weights = {0.1F, -0.5F, 0.0F, 0.4F, -0.2F};
  const SelectedFeatures selected = select_features(index, weights, 3);
  EXPECT_EQ(selected.weights, (std::vector<float>{-0.5F, 0.4F, -0.2F}));
  EXPECT_EQ(selected.index.hashes,
            (std::vector<std::uint64_t>{index.hashes[1], index.hashes[3], index.hashes[4]}));
  constexpr std::uint32_t kAbsent = FeatureTable::kAbsent;
  EXPECT_EQ(selected.numbers, (std::vector<std::uint32_t>{kAbsent, 0, kAbsent, 1, 2}));
  EXPECT_EQ(selected.index.numbers.find(index.hashes[3]), 1u);
  EXPECT_EQ(selected.index.numbers.find(index.hashes[2]), kAbsent);
}

TEST(FeatureSelection, PrefersFrequentFeatures) {
  const std::vector<float> weights = {0.2F, 0.21F};
  EXPECT_EQ(select_features(index_of({100, 1}), weights, 1).weights, std::vector<float>{0.2F});
  EXPECT_EQ(select_features(index_of({1, 1}), weights, 1).weights, std::vector<float>{0.21F});
}

TEST(FeatureSelection, KeepsAllIfThereIsRoom) {
  const std::vector<float> weights = {0.0F, 0.0F};
  EXPECT_EQ(select_features(index_of({2, 1}), weights, 5).weights, weights);
  EXPECT_TRUE(select_features(index_of({2, 1}), weights, 0).weights.empty());
}

TEST(TemplateSelection, LeavesOutWhatHasLittleWeight) {
  TaskPool pool(1);
  Generator random = case_generator(0);
  const TinyProblem problem(random, Factorization::sibling, {RootMode::multi, false}, FeatureSet::rich,
                            {1, true}, pool);
  const std::vector<float> equal(problem.index.size(), 1.0F);
  const auto idle = [&](std::span<const float> weights, double share) {
    return idle_templates(problem.sentences, problem.extractor, problem.index, weights, share);
  };
  EXPECT_TRUE(idle(equal, 0.0).empty());
  // All features have weights here, so templates differ by nothing: about as many go as the share says.
  const TemplateSet set(FeatureSet::rich, Factorization::sibling, {true, true, true});
  const auto all = static_cast<double>(set.templates().size());
  EXPECT_GT(static_cast<double>(idle(equal, 0.3).size()), 0.05 * all);
  EXPECT_LT(static_cast<double>(idle(equal, 0.3).size()), 0.8 * all);
  // One template without weights goes first.
  SentenceFeatures features;
  SentenceParts parts;
  std::vector<float> weights = equal;
  std::uint64_t victim = 0;
  for (const TrainingSentence& example : problem.sentences) {
    features.assign(problem.extractor, example.sentence);
    parts.assign(example.sentence.size(), example.candidates, Factorization::sibling);
    for_each_tuple(parts.tuples(), [&](Scope scope, const Tuple& tuple) {
      std::vector<std::uint64_t> hashes;
      std::vector<std::uint64_t> owners;
      features.append(scope, tuple, hashes);
      features.append_templates(scope, tuple, owners);
      for (std::size_t k = 0; k < hashes.size(); ++k) {
        if (victim == 0) victim = owners[k];
        if (owners[k] == victim) weights[problem.index.numbers.find(hashes[k])] = 0.0F;
      }
    });
  }
  EXPECT_EQ(idle(weights, 1e-9), std::vector<std::uint64_t>{victim});
}

// Whatever is kept in memory, and however it came there, the likelihood is the same.
TEST(FeatureLists, GiveTheSameLikelihoodWithAnyMemory) {
  TaskPool pool(2);
  for (int number = 0; number < scaled(16); ++number) {
    SCOPED_TRACE(case_name(number) + ": " + describe(tiny_problem_kind(number)));
    Generator random = case_generator(number);
    const TinyProblemKind kind = tiny_problem_kind(number);
    const TinyProblem problem(random, kind.factorization, {kind.trees, kind.is_pruned}, FeatureSet::rich,
                              {1, false}, pool);
    const SelectedFeatures selected = select_features(
        problem.index, random_weights(random, problem.index.size()), problem.index.size() / 3);
    const std::vector<float> weights = random_weights(random, selected.index.size());
    const FeatureLists fresh(problem.sentences, problem.extractor, selected.index, pool);
    const auto evaluate = [&](const FeatureLists& lists) {
      std::vector<float> result(weights.size());
      result.push_back(static_cast<float>(
          RegularisedLoss(TreeObjective(lists, kind.trees), 0.5, pool).evaluate(weights, std::span(result))));
      return result;
    };
    const std::vector<float> expected = evaluate(fresh);
    for (const std::size_t share : {0, 1, 2, 3}) {
      const std::size_t memory = problem.lists.bytes() * share / 3;
      FeatureLists lists(problem.sentences, problem.extractor, problem.index, pool, memory);
      EXPECT_LE(lists.bytes(), memory);
      EXPECT_EQ(lists.kept_lists() == lists.size(), share == 3);
      lists.renumber(selected.index, selected.numbers, pool);
      EXPECT_LE(lists.bytes(), memory);
      EXPECT_EQ(evaluate(lists), expected);
      for (std::size_t k = 0; k < lists.size(); ++k) EXPECT_EQ(lists.features_of(k), fresh.features_of(k));
    }
  }
}

}  // namespace
}  // namespace copse
