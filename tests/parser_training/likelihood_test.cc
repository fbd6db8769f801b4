// The objective and its gradient, against the enumeration of all trees and against difference quotients.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/test_settings.h"
#include "optimisers/regularised_loss.h"
#include "parser_training/tiny_problem.h"
#include "parser_training/tree_objective.h"

namespace copse {
namespace {

using namespace testing;  // NOLINT: the vocabulary of the inference tests

struct LikelihoodCase {
  const TinyProblem& problem;
  double l2;
  double margin;
  RegularisedLoss& likelihood;
  Generator& random;

  std::vector<float> random_point() const { return random_weights(random, problem.index.size()); }
};

// Calls check(case) for small random problems of every kind.
template <class Check>
void for_each_likelihood(int cases, int most_words, Check check) {
  TaskPool pool(1);
  for (int number = 0; number < scaled(cases); ++number) {
    const TinyProblemKind kind = tiny_problem_kind(number);
    Generator random = case_generator(number);
    const double margin = happens(random, 0.3) ? 0.75 : 0.0;
    SCOPED_TRACE(case_name(number) + ": " + describe(kind) + ", margin " + std::to_string(margin));
    TinyTreebankKind treebank{kind.trees, kind.is_pruned};
    treebank.most_words = most_words;
    const TinyProblem problem(random, kind.factorization, treebank,
                              happens(random, 0.5) ? FeatureSet::paper : FeatureSet::rich,
                              {uniform_int(random, 1, 2), happens(random, 0.5)}, pool);
    const auto l2 = static_cast<float>(uniform(random, 0, 2));  // of single precision, as learners have it
    const TreeObjective objective(problem.lists, kind.trees, {margin});
    RegularisedLoss likelihood(objective, l2, pool);
    EXPECT_EQ(likelihood.dimension(), problem.index.size());
    check(LikelihoodCase{problem, l2, margin, likelihood, random});
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Likelihood, IsTheSumOverAllTrees) {
  for_each_likelihood(160, 6, [](const LikelihoodCase& it) {
    const std::vector<float> weights = it.random_point();
    std::vector<float> gradient(weights.size(), 1e6F);  // to be overwritten
    const double value = it.likelihood.evaluate(weights, gradient);

    double expected = 0.0;
    std::vector<double> expected_gradient(weights.size());
    for (const auto& example : it.problem.naive_examples()) {
      expected += example->log_loss(weights, it.margin);
      example->add_gradient(weights, expected_gradient, it.margin);
    }
    for (std::size_t k = 0; k < weights.size(); ++k) {
      expected += 0.5 * it.l2 * weights[k] * weights[k];
      expected_gradient[k] += it.l2 * weights[k];
    }
    EXPECT_NEAR(value, expected, 1e-9 * std::max(1.0, std::abs(expected)));
    double largest = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      largest = std::max(largest, std::abs(gradient[k] - expected_gradient[k]));
    }
    EXPECT_LT(largest, 1e-6 * 10);  // single precision of numbers below 10
  });
}

TEST(Likelihood, HasTheGradientOfItsDifferenceQuotients) {
  for_each_likelihood(64, 8, [](const LikelihoodCase& it) {
    const std::vector<float> weights = it.random_point();
    std::vector<float> gradient(weights.size());
    it.likelihood.evaluate(weights, gradient);
    std::vector<float> ignored(weights.size());
    for (int repetition = 0; repetition < 10; ++repetition) {
      std::vector<std::size_t> features(4);
      for (std::size_t& feature : features) feature = it.random() % weights.size();
      const auto value_at = [&](double step) {
        std::vector<float> moved = weights;
        for (const std::size_t feature : features) moved[feature] += static_cast<float>(step);
        return it.likelihood.evaluate(moved, ignored);
      };
      const auto quotient = [&](double step) { return (value_at(step) - value_at(-step)) / (2 * step); };
      constexpr double kStep = 1.0 / 1024;
      const double extrapolated = (4 * quotient(kStep) - quotient(2 * kStep)) / 3;
      double expected = 0.0;
      for (const std::size_t feature : features) expected += gradient[feature];
      EXPECT_NEAR(extrapolated, expected, 2e-5);
    }
  });
}

TEST(Likelihood, GivesTheSameAgain) {
  for_each_likelihood(8, 6, [](const LikelihoodCase& it) {
    const std::vector<float> weights = it.random_point();
    std::vector<float> gradient(weights.size());
    std::vector<float> again(weights.size());
    const double value = it.likelihood.evaluate(weights, gradient);
    it.likelihood.evaluate(it.random_point(), again);
    EXPECT_EQ(it.likelihood.evaluate(weights, again), value);
    EXPECT_EQ(again, gradient);
  });
}

TEST(Likelihood, ForgetsWhatAnEvaluationThatFailedHasLeft) {
  for_each_likelihood(8, 6, [](const LikelihoodCase& it) {
    const std::vector<float> weights = it.random_point();
    std::vector<float> gradient(weights.size());
    const double value = it.likelihood.evaluate(weights, gradient);
    // The rarest feature of the first arc of a sentence: those without it may have been through when another
    // fails.
    std::uint32_t rarest = 0;
    for (std::size_t sentence = 0; sentence < it.problem.lists.size(); ++sentence) {
      const FeatureList& list = *it.problem.lists.kept(sentence);
      for (std::size_t k = 0; k < list.lengths[0]; ++k) rarest = std::max(rarest, list.features[k]);
    }
    std::vector<float> spoilt = weights;
    spoilt[rarest] = std::nanf("");
    std::vector<float> again(weights.size());
    EXPECT_THROW(it.likelihood.evaluate(spoilt, again), std::invalid_argument);
    EXPECT_EQ(it.likelihood.evaluate(weights, again), value);
    EXPECT_EQ(again, gradient);
  });
}

TEST(Likelihood, OfTreesThatSayNothingIsThePenalty) {
  TaskPool pool(1);
  Generator random = case_generator(0);
  TinyTreebankKind kind;
  kind.share_of_partial_trees = 1.0;
  TinyProblem problem(random, Factorization::sibling, kind, FeatureSet::paper, {1, true}, pool);
  for (TrainingSentence& example : problem.sentences) example.heads.assign(example.heads.size(), kNoHead);
  RegularisedLoss likelihood(problem.objective, 2.0, pool);
  const std::vector<float> weights(problem.index.size(), 0.5F);
  std::vector<float> gradient(weights.size());
  EXPECT_NEAR(likelihood.evaluate(weights, gradient), 0.25 * static_cast<double>(weights.size()), 1e-9);
  for (const float entry : gradient) EXPECT_NEAR(entry, 1.0F, 1e-6);
}

}  // namespace
}  // namespace copse
