// The number of threads does not change a single bit of what learning starts from.
#include <gtest/gtest.h>

#include <vector>

#include "inference/test_settings.h"
#include "optimisers/regularised_loss.h"
#include "parser_training/tiny_problem.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

struct LikelihoodResult {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> counts;
  std::vector<std::vector<std::uint32_t>> features;
  std::vector<std::vector<std::uint16_t>> lengths;
  std::vector<double> values;
  std::vector<std::vector<float>> gradients;
  friend bool operator==(const LikelihoodResult&, const LikelihoodResult&) = default;
};

LikelihoodResult result_with(int threads, int number) {
  Generator random = case_generator(number);
  TaskPool pool(threads);
  const TinyProblemKind kind = tiny_problem_kind(number);
  TinyTreebankKind treebank{kind.trees, kind.is_pruned};
  treebank.sentences = 60;
  treebank.most_words = 9;
  const TinyProblem problem(random, kind.factorization, treebank, FeatureSet::paper, {1, number % 3 == 0},
                            pool);

  LikelihoodResult result;
  result.hashes = problem.index.hashes;
  result.counts = problem.index.counts;
  for (std::size_t k = 0; k < problem.lists.size(); ++k) {
    const FeatureList& list = *problem.lists.kept(k);
    result.features.push_back(list.features);
    result.lengths.push_back(list.lengths);
  }
  RegularisedLoss likelihood(problem.objective, 0.5, pool);
  for (int evaluation = 0; evaluation < 3; ++evaluation) {
    std::vector<float> weights(problem.index.size());
    for (float& weight : weights) weight = static_cast<float>(uniform(random, -1, 1));
    std::vector<float>& gradient = result.gradients.emplace_back(weights.size());
    result.values.push_back(likelihood.evaluate(weights, gradient));
  }
  return result;
}

TEST(LikelihoodThreads, GiveTheSameBits) {
  for (int number = 0; number < scaled(16); ++number) {
    SCOPED_TRACE(case_name(number) + ": " + describe(tiny_problem_kind(number)));
    const LikelihoodResult expected = result_with(1, number);
    EXPECT_TRUE(result_with(2, number) == expected);
    EXPECT_TRUE(result_with(3, number) == expected);
  }
}

}  // namespace
}  // namespace copse
