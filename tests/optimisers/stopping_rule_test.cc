#include "optimisers/stopping_rule.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse {
namespace {

TEST(StoppingRule, NeedsAnEvaluationThatIsPatienceOld) {
  const StoppingRule rule{20, 0.01};
  std::vector<Evaluation> evaluations;
  EXPECT_FALSE(rule.is_met(evaluations));
  for (const int iteration : {5, 10, 15, 20}) {
    evaluations.push_back({iteration, 0.5});
    EXPECT_FALSE(rule.is_met(evaluations)) << iteration;
  }
  evaluations.push_back({25, 0.5});
  EXPECT_TRUE(rule.is_met(evaluations));
}

TEST(StoppingRule, ComparesTheBestOfTheLastIterationsWithTheBestBefore) {
  const StoppingRule rule{10, 0.01};
  EXPECT_FALSE(rule.is_met(std::vector<Evaluation>{{5, 0.5}, {10, 0.511}, {15, 0.3}})) << "a gain";
  EXPECT_TRUE(rule.is_met(std::vector<Evaluation>{{5, 0.5}, {10, 0.509}, {15, 0.3}})) << "too small a gain";
  EXPECT_TRUE(rule.is_met(std::vector<Evaluation>{{5, 0.5}, {10, 0.52}, {15, 0.3}, {20, 0.525}}));
  EXPECT_FALSE(rule.is_met(std::vector<Evaluation>{{5, 0.5}, {10, 0.52}, {15, 0.3}, {20, 0.54}}));
}

// The run would end there if its scores stayed as they are.
TEST(StoppingRule, TheLikelyEndIsThatOfARunWhoseScoresDoNotRise) {
  const StoppingRule rule{20, 0.01};
  EXPECT_EQ(rule.likely_end(std::vector<Evaluation>{{5, 0.5}}, 7, 5, 200), 25);
  EXPECT_EQ(rule.likely_end(std::vector<Evaluation>{{5, 0.5}, {10, 0.6}}, 10, 5, 200), 30);
  EXPECT_EQ(rule.likely_end(std::vector<Evaluation>{{5, 0.5}, {10, 0.6}, {15, 0.4}}, 19, 5, 200), 30);
  EXPECT_EQ(rule.likely_end(std::vector<Evaluation>{{5, 0.5}}, 5, 5, 20), 20) << "there are no more";
  EXPECT_EQ(rule.likely_end({}, 3, 5, 200), 200) << "nothing is known yet";
  EXPECT_EQ(StoppingRule{}.likely_end(std::vector<Evaluation>{{5, 0.5}}, 5, 5, 200), 200);
}

TEST(StoppingRule, WithoutPatienceNeverStops) {
  EXPECT_FALSE(StoppingRule{}.is_met(std::vector<Evaluation>{{5, 0.5}, {100, 0.1}}));
}

}  // namespace
}  // namespace copse
