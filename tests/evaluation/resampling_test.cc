#include "evaluation/resampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "copse/error.h"

namespace copse::testing {
namespace {

Counts sentence(int64_t right, int64_t scored) {
  Counts counts;
  counts.sentences = counts.scored_sentences = 1;
  counts.words = counts.scored_words = counts.attached = scored;
  counts.right_heads = right;
  counts.complete = right == scored ? 1 : 0;
  return counts;
}

// 10 words each; the number of right ones goes up and down.
std::vector<Counts> mixed_sentences(int count, int64_t shift = 0) {
  std::vector<Counts> sentences;
  for (int k = 0; k < count; ++k) sentences.push_back(sentence(4 + k % 5 + shift, 10));
  return sentences;
}

TEST(Bootstrap, IntervalContainsTheEstimateAndIsAsWideAsTheNormalOne) {
  const MeasureIntervals intervals = bootstrap_intervals(mixed_sentences(200));
  const Interval& uas = intervals[Measure::uas];
  // Per sentence the share has the mean 0.6 and the variance 0.02.
  const double half_width = 1.96 * std::sqrt(0.02 / 200);
  EXPECT_LT(uas.lower, 0.6);
  EXPECT_GT(uas.upper, 0.6);
  EXPECT_NEAR(uas.lower, 0.6 - half_width, 0.2 * half_width);
  EXPECT_NEAR(uas.upper, 0.6 + half_width, 0.2 * half_width);
}

TEST(Bootstrap, CertaintyHasNoWidth) {
  const std::vector<Counts> perfect(20, sentence(7, 7));
  const MeasureIntervals intervals = bootstrap_intervals(perfect);
  for (const Measure measure : {Measure::uas, Measure::cm, Measure::coverage, Measure::precision}) {
    EXPECT_EQ(intervals[measure].lower, 1.0);
    EXPECT_EQ(intervals[measure].upper, 1.0);
  }
  EXPECT_EQ(intervals[Measure::las].lower, 0.0);
  EXPECT_EQ(intervals[Measure::las].upper, 0.0);
}

TEST(Bootstrap, NothingToMeasureHasNoBounds) {
  EXPECT_TRUE(std::isnan(bootstrap_intervals({})[Measure::uas].lower));
  // No roots.
  EXPECT_TRUE(std::isnan(bootstrap_intervals(mixed_sentences(5))[Measure::ra].upper));
}

TEST(Bootstrap, SeedDecides) {
  const std::vector<Counts> sentences = mixed_sentences(37);
  const auto uas = [&](uint64_t seed) { return bootstrap_intervals(sentences, {50, seed})[Measure::uas]; };
  EXPECT_EQ(uas(3).lower, uas(3).lower);
  EXPECT_EQ(uas(3).upper, uas(3).upper);
  bool differs = false;
  for (uint64_t seed = 4; seed < 10; ++seed) differs = differs || uas(seed).lower != uas(3).lower;
  EXPECT_TRUE(differs);
}

TEST(RandomisationTest, EqualSystemsDoNotDiffer) {
  const std::vector<Counts> sentences = mixed_sentences(30);
  const PairedTest test = randomisation_test(sentences, sentences, Measure::uas);
  EXPECT_EQ(test.difference, 0.0);
  EXPECT_EQ(test.p, 1.0);
}

TEST(RandomisationTest, ClearDifferenceHasTheSmallestP) {
  const PairedTest test = randomisation_test(mixed_sentences(100), mixed_sentences(100, 1), Measure::uas);
  EXPECT_DOUBLE_EQ(test.difference, 0.1);
  EXPECT_DOUBLE_EQ(test.p, 1.0 / 1001.0);
}

TEST(RandomisationTest, ApproachesTheExactP) {
  // Of the 2^5 ways to swap, those with all signs equal reach the difference: p = 2/32.
  const PairedTest test =
      randomisation_test(mixed_sentences(5), mixed_sentences(5, -1), Measure::uas, {100'000, 1});
  EXPECT_DOUBLE_EQ(test.difference, -0.1);
  EXPECT_NEAR(test.p, 2.0 / 32.0, 0.004);
}

TEST(RandomisationTest, SentencesBeyondTheFirst64HaveSignsOfTheirOwn) {
  // 66 differences of 1: were the signs of the last two those of the first two, p would be larger. Of all
  // sums of 66 signs, those with |sum| >= 16 have the share 0.0640.
  std::vector<Counts> first(66, sentence(1, 2));
  std::vector<Counts> second;
  for (int k = 0; k < 66; ++k) second.push_back(sentence(k < 41 ? 2 : 0, 2));
  EXPECT_NEAR(randomisation_test(first, second, Measure::uas, {100'000, 1}).p, 0.0640, 0.003);
}

TEST(RandomisationTest, SeedDecides) {
  const std::vector<Counts> first = mixed_sentences(12);
  std::vector<Counts> second = mixed_sentences(12, 1);
  second[3] = sentence(1, 10);
  const auto p = [&](uint64_t seed) {
    return randomisation_test(first, second, Measure::uas, {1000, seed}).p;
  };
  EXPECT_EQ(p(5), p(5));
  bool differs = false;
  for (uint64_t seed = 6; seed < 12; ++seed) differs = differs || p(seed) != p(5);
  EXPECT_TRUE(differs);
}

TEST(RandomisationTest, RefusesWhatIsNotPaired) {
  const std::vector<Counts> ten = mixed_sentences(10);
  EXPECT_THROW(randomisation_test(ten, mixed_sentences(9), Measure::uas), DataError);
  EXPECT_THROW(randomisation_test(ten, std::vector<Counts>(10, sentence(1, 9)), Measure::uas), DataError);
  EXPECT_THROW(randomisation_test(ten, ten, Measure::precision), DataError);
}

}  // namespace
}  // namespace copse::testing
