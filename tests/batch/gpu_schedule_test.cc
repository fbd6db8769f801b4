// The schedule that the GPU runs, emulated on the host: the same code with other threads. Several sizes of
// blocks and tiles, and a random order of threads between barriers.
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "batch/batch_properties.h"
#include "batch/emulated_back_end.h"

namespace copse::testing {
namespace {

constexpr std::array kProjective{TreeKind::projective};

class GpuSchedule : public ::testing::TestWithParam<EmulatedBackEnd::Settings> {
 protected:
  static BatchDistribution make() {
    return BatchBackEnd::make_distribution(Device::cuda, std::make_unique<EmulatedBackEnd>(GetParam()));
  }
};

TEST_P(GpuSchedule, AgreesWithEnumeration) {
  BatchDistribution batch = make();
  expect_short_sentences<double>(batch,
                                 GetParam().threads == 1   ? 40
                                 : GetParam().threads < 16 ? 4
                                                           : 2,
                                 kProjective);
}
TEST_P(GpuSchedule, AgreesWithTheLogDomainOnLongSentences) {
  BatchDistribution batch = make();
  const std::vector<int> lengths = GetParam().threads == 1 ? std::vector{7, 16, 1, 33} : std::vector{9};
  for (const PotentialKind kind : {PotentialKind::normal, PotentialKind::thousands_with_impossible}) {
    expect_long_sentences<double>(batch, lengths, kind);
  }
}
TEST_P(GpuSchedule, BadSentencesLeaveOthersAlone) {
  BatchDistribution batch = make();
  expect_bad_sentences_apart<float>(batch);
}

TEST_P(GpuSchedule, RefusesWhatItDoesNotHave) {
  BatchDistribution batch = make();
  constexpr std::array<BatchSentence, 1> kSentence{BatchSentence{2, nullptr}};
  EXPECT_FALSE(batch.has(Factorization::trisibling));
  EXPECT_THROW(batch.assign(Factorization::trisibling, RootMode::multi, kSentence), std::invalid_argument);
  EXPECT_EQ(batch.sentences(), 0);
}

// Whatever the order in which threads run, the bits are the same.
TEST_P(GpuSchedule, DoesNotDependOnTheOrderOfThreads) {
  EmulatedBackEnd::Settings other_settings = GetParam();
  other_settings.seed += 1'000'000;
  BatchDistribution batch = make();
  BatchDistribution other =
      BatchBackEnd::make_distribution(Device::cuda, std::make_unique<EmulatedBackEnd>(other_settings));
  constexpr std::array kLengths{3, 8, 1, 6};
  expect_same_bits<double>(batch, other, kLengths);
}
TEST_P(GpuSchedule, SamplesHaveTheirProbabilities) {
  if (GetParam().threads > 4) GTEST_SKIP() << "samples are drawn by single threads";
  BatchDistribution batch = make();
  expect_right_samples(batch, kProjective);
}

INSTANTIATE_TEST_SUITE_P(Blocks, GpuSchedule,
                         ::testing::Values(EmulatedBackEnd::Settings{1, 1, Arithmetic::automatic},
                                           EmulatedBackEnd::Settings{1, 1, Arithmetic::log},
                                           EmulatedBackEnd::Settings{4, 1, Arithmetic::automatic},
                                           EmulatedBackEnd::Settings{4, 4, Arithmetic::automatic},
                                           EmulatedBackEnd::Settings{16, 4, Arithmetic::automatic},
                                           EmulatedBackEnd::Settings{16, 4, Arithmetic::log},
                                           EmulatedBackEnd::Settings{24, 8, Arithmetic::automatic}),
                         [](const auto& block) {
                           return std::to_string(block.param.threads) + "_threads_in_" +
                                  std::to_string(block.param.tile_size) +
                                  (block.param.arithmetic == Arithmetic::log ? "_log" : "");
                         });

}  // namespace
}  // namespace copse::testing
