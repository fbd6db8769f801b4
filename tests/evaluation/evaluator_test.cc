#include "evaluation/evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/evaluation_helpers.h"

namespace copse::testing {
namespace {

void expect_ratio(const Scores& scores, Measure measure, int64_t part, int64_t whole) {
  EXPECT_EQ(scores[measure].part, part) << kMeasureNames[static_cast<size_t>(measure)];
  EXPECT_EQ(scores[measure].whole, whole) << kMeasureNames[static_cast<size_t>(measure)];
}

Evaluator evaluated(const EvaluationOptions& options) {
  Evaluator evaluator(options);
  evaluator.add(sentence_of(kGoldDogs), sentence_of(kSystemDogs));
  evaluator.add(sentence_of(kGoldShout), sentence_of(kSystemShout));
  return evaluator;
}

TEST(Evaluator, EveryMeasureWithPunctuation) {
  const Scores scores = evaluated({}).scores();
  ASSERT_TRUE(scores.labelled);
  expect_ratio(scores, Measure::uas, 5, 7);
  expect_ratio(scores, Measure::las, 4, 7);
  expect_ratio(scores, Measure::ra, 2, 2);
  expect_ratio(scores, Measure::cm, 1, 2);
  expect_ratio(scores, Measure::lcm, 1, 2);
  expect_ratio(scores, Measure::coverage, 6, 7);
  expect_ratio(scores, Measure::precision, 5, 6);
  EXPECT_EQ(scores.total.sentences, 2);
  EXPECT_EQ(scores.total.words, 8);
  EXPECT_EQ(scores.total.words_without_gold_head, 1);
  EXPECT_EQ(scores.total.excluded_words(), 0);
  EXPECT_DOUBLE_EQ(scores[Measure::uas].value(), 5.0 / 7.0);
}

TEST(Evaluator, EveryMeasureWithoutPunctuation) {
  for (const Punctuation convention : {Punctuation::ud, Punctuation::ptb, Punctuation::unicode}) {
    SCOPED_TRACE(kPunctuationNames[static_cast<size_t>(convention)]);
    const Scores scores = evaluated({convention, false}).scores();
    expect_ratio(scores, Measure::uas, 4, 4);
    expect_ratio(scores, Measure::las, 3, 4);
    // The second root is punctuation, and counts all the same.
    expect_ratio(scores, Measure::ra, 2, 2);
    // The second sentence has no scored word, and is no match.
    expect_ratio(scores, Measure::cm, 1, 1);
    expect_ratio(scores, Measure::lcm, 0, 1);
    expect_ratio(scores, Measure::coverage, 4, 4);
    EXPECT_EQ(scores.total.excluded_words(), 3);
    EXPECT_EQ(scores.total.words_without_gold_head, 1);
  }
}

TEST(Evaluator, SubtypesCanBeKept) {
  expect_ratio(evaluated({Punctuation::keep, true}).scores(), Measure::las, 3, 7);
}

TEST(Evaluator, RightLabelsOnWrongHeadsAreWrong) {
  Evaluator evaluator;
  evaluator.add(sentence_of(row("1", "a", "X", "X", "0", "root") + row("2", "b", "X", "X", "1", "x")),
                sentence_of(row("1", "a", "X", "X", "2", "root") + row("2", "b", "X", "X", "0", "x")));
  expect_ratio(evaluator.scores(), Measure::las, 0, 2);
  expect_ratio(evaluator.scores(), Measure::ra, 0, 1);
}

TEST(Evaluator, LabelsMustBeOnBothSides) {
  const std::string labelled = row("1", "a", "X", "X", "0", "root");
  const std::string unlabelled = row("1", "a", "X", "X", "0", "_");
  const auto is_labelled = [](const std::string& gold, const std::string& system) {
    Evaluator evaluator;
    evaluator.add(sentence_of(gold), sentence_of(system));
    return evaluator.scores().has(Measure::las);
  };
  EXPECT_TRUE(is_labelled(labelled, labelled));
  EXPECT_FALSE(is_labelled(labelled, unlabelled));
  EXPECT_FALSE(is_labelled(unlabelled, labelled));
  EXPECT_FALSE(is_labelled(unlabelled, unlabelled));
}

TEST(Evaluator, ConfidencesAreThoseOfScoredWordsWithHeadAndProbability) {
  const Evaluator all = evaluated({});
  ASSERT_EQ(all.confidences().size(), 4U);
  EXPECT_EQ(all.confidences()[1].probability, 0.8);
  EXPECT_TRUE(all.confidences()[1].is_right);
  EXPECT_EQ(all.confidences()[3].probability, 0.6);
  EXPECT_FALSE(all.confidences()[3].is_right);
  EXPECT_EQ(evaluated({Punctuation::ud, false}).confidences().size(), 3U);
}

TEST(Evaluator, KeepsTheCountsOfEachSentence) {
  const Evaluator evaluator = evaluated({});
  ASSERT_EQ(evaluator.sentences().size(), 2U);
  EXPECT_EQ(evaluator.sentences()[0].right_heads, 4);
  EXPECT_EQ(evaluator.sentences()[1].right_heads, 1);
  Counts sum = evaluator.sentences()[0];
  sum += evaluator.sentences()[1];
  EXPECT_EQ(sum, evaluator.scores().total);
}

TEST(Evaluator, NothingToMeasureIsNotANumber) {
  EXPECT_TRUE(std::isnan(Evaluator().scores()[Measure::uas].value()));
}

TEST(Evaluator, TakesHeadsLabelsAndAMask) {
  const std::vector<int> gold_heads = {kNoHead, 2, 0, 2, kNoHead};
  const std::vector<int> gold_labels = {kNoLabel, 7, 8, 9, 1};
  const std::vector<int> system_heads = {kNoHead, 2, 0, 1, 2};
  const std::vector<int> system_labels = {kNoLabel, 7, 3, 9, 1};
  const std::vector<double> probabilities = {0.0, 0.5, 0.25, kNoProbability, 1.0};
  Evaluator evaluator;
  const std::vector<uint8_t> all = {0, 1, 1, 1, 1};
  evaluator.add({gold_heads, gold_labels}, {system_heads, system_labels, probabilities}, all);
  expect_ratio(evaluator.scores(), Measure::uas, 2, 3);
  expect_ratio(evaluator.scores(), Measure::las, 1, 3);
  EXPECT_EQ(evaluator.confidences().size(), 2U);
  const std::vector<uint8_t> some = {0, 1, 0, 0, 1};
  evaluator.add({gold_heads, gold_labels}, {system_heads, system_labels}, some);
  expect_ratio(evaluator.scores(), Measure::uas, 3, 4);
  expect_ratio(evaluator.scores(), Measure::ra, 2, 2);
  EXPECT_EQ(evaluator.confidences().size(), 2U);

  Evaluator unlabelled;
  unlabelled.add({gold_heads}, {system_heads}, all);
  expect_ratio(unlabelled.scores(), Measure::uas, 2, 3);
  EXPECT_FALSE(unlabelled.scores().labelled);
}

TEST(Evaluator, RefusesDifferentSizes) {
  Evaluator evaluator;
  EXPECT_EQ(error_of([&] { evaluator.add(sentence_of(kGoldDogs), sentence_of(kSystemShout)); }),
            "the system heads have 3 entries for 6 words; give one for the root and one for each word");
  const std::vector<int> three(3);
  const std::vector<double> two(2);
  const std::vector<uint8_t> mask(3, 1);
  EXPECT_EQ(
      error_of([&] {
        evaluator.add({three}, {three, {}, two}, mask);
      }),
      "the system probabilities have 2 entries for 2 words; give one for the root and one for each word");
  EXPECT_NE(error_of([&] { evaluator.add({}, {}, {}); }), "no error");
  EXPECT_EQ(evaluator.sentences().size(), 0U);
}

}  // namespace
}  // namespace copse::testing
