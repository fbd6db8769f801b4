// One interface, several back ends: the same tests over all of them, against enumeration and the log domain
// of TreeDistribution. Where there is no GPU, its tests are skipped with the reason.
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "batch/back_ends.h"
#include "batch/batch_properties.h"

namespace copse::testing {
namespace {

TEST_P(BackEnds, AgreeWithEnumerationInDouble) {
  BatchDistribution batch = GetParam().make();
  expect_short_sentences<double>(batch, 40);
}
TEST_P(BackEnds, AgreeWithEnumerationInFloat) {
  BatchDistribution batch = GetParam().make();
  expect_short_sentences<float>(batch, 40);
}
TEST_P(BackEnds, AgreeWithTheLogDomainOnLongSentences) {
  BatchDistribution batch = GetParam().make();
  constexpr std::array kLengths{7, 16, 1, 33, 26, 2};
  for (const PotentialKind kind : {PotentialKind::normal, PotentialKind::thousands_with_impossible}) {
    expect_long_sentences<double>(batch, kLengths, kind);
  }
  expect_long_sentences<float>(batch, kLengths, PotentialKind::normal);
}
TEST_P(BackEnds, SixtyWords) {
  BatchDistribution batch = GetParam().make();
  constexpr std::array kLengths{61};
  expect_long_sentences<double>(batch, kLengths, PotentialKind::normal);
}
TEST_P(BackEnds, BadSentencesLeaveOthersAlone) {
  BatchDistribution batch = GetParam().make();
  expect_bad_sentences_apart<double>(batch);
  expect_bad_sentences_apart<float>(batch);
}
TEST_P(BackEnds, SamplesHaveTheirProbabilities) {
  BatchDistribution batch = GetParam().make();
  expect_right_samples(batch);
}
TEST_P(BackEnds, SameInputSameBits) {
  BatchDistribution batch = GetParam().make();
  BackEndChoice choice = GetParam();
  choice.threads = 1;
  BatchDistribution other = choice.make();
  constexpr std::array kLengths{3, 17, 1, 9, 17, 24};
  expect_same_bits<double>(batch, other, kLengths);
  expect_same_bits<float>(batch, other, kLengths);
}
TEST_P(BackEnds, AnEmptyBatchAndQuestionsLeftOut) {
  BatchDistribution batch = GetParam().make();
  batch.assign(Factorization::sibling, RootMode::multi, {});
  EXPECT_EQ(batch.sentences(), 0);
  batch.compute_on_host(PartArrays<const float>{}, BatchAnswers<float>{});
  const std::array<BatchSentence, 1> sentence{BatchSentence{2, nullptr}};
  batch.assign(Factorization::first, RootMode::multi, sentence);
  const std::vector<double> potentials(4, 0.0);
  double entropy = -1;
  BatchAnswers<double> answers;
  answers.entropy = &entropy;
  batch.compute_on_host({{potentials.data()}}, answers);
  EXPECT_NEAR(entropy, std::log(3.0), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Batch, BackEnds, kBackEnds, name_of);

TEST(BatchDistribution, RefusesWhatMakesNoSense) {
  BatchDistribution batch;
  ArcSet arcs;
  arcs.assign(2, std::vector<Arc>{{0, 1}, {1, 2}});
  const std::array<BatchSentence, 1> none{BatchSentence{0, nullptr}};
  const std::array<BatchSentence, 1> other{BatchSentence{3, &arcs}};
  const std::array<BatchSentence, 1> good{BatchSentence{2, &arcs}};
  EXPECT_THROW(batch.assign(Factorization::first, RootMode::multi, none), std::invalid_argument);
  EXPECT_THROW(batch.assign(Factorization::first, RootMode::multi, other), std::invalid_argument);
  EXPECT_EQ(batch.sentences(), 0);
  EXPECT_THROW(batch.assign(Factorization::sibling, {RootMode::multi, TreeKind::nonprojective}, good),
               std::invalid_argument);
  EXPECT_THROW(BatchDistribution({.arithmetic = Arithmetic::linear}), std::invalid_argument);
  batch.assign(Factorization::sibling, RootMode::multi, good);
  EXPECT_EQ(batch.count(PartKind::arc), 2);
  EXPECT_EQ(batch.count(PartKind::grandsibling), 0);
}

TEST(Devices, SupportFactorizations) {
  for (const Factorization factorization : kAllFactorizations) {
    EXPECT_TRUE(BatchDistribution::supports(Device::cpu, factorization));
    EXPECT_TRUE(BatchDistribution().has(factorization));
    EXPECT_EQ(BatchDistribution::supports(Device::cuda, factorization),
              factorization == Factorization::first || factorization == Factorization::sibling ||
                  factorization == Factorization::grandchild || factorization == Factorization::grandsibling);
  }
}

TEST(Devices, HaveNamesAndReasons) {
  EXPECT_EQ(parse_device("cpu"), Device::cpu);
  EXPECT_EQ(parse_device("cuda"), Device::cuda);
  EXPECT_FALSE(parse_device("gpu"));
  EXPECT_TRUE(is_available(Device::cpu));
  if (is_available(Device::cuda)) return;
  EXPECT_FALSE(why_unavailable(Device::cuda).empty());
  EXPECT_THROW(BatchDistribution({.device = Device::cuda}), DataError);
}

}  // namespace
}  // namespace copse::testing
