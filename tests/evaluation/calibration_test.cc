#include "evaluation/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "copse/error.h"

namespace copse::testing {
namespace {

const std::vector<ArcConfidence> kArcs = {{0.9, true}, {0.1, false}, {0.8, false}, {0.9, true}, {0.6, true}};

TEST(Calibration, SmallExampleByHand) {
  const Calibration found = calibration(kArcs, 2);
  EXPECT_EQ(found.arcs, 5);
  EXPECT_DOUBLE_EQ(found.mean_probability, 0.66);
  EXPECT_DOUBLE_EQ(found.right, 0.6);
  EXPECT_DOUBLE_EQ(found.brier, (0.01 + 0.01 + 0.64 + 0.01 + 0.16) / 5);
  EXPECT_DOUBLE_EQ(found.log_loss, -(3 * std::log(0.9) + std::log(0.2) + std::log(0.6)) / 5);
  // Halves: {0.1} and {0.6, 0.8, 0.9, 0.9}.
  ASSERT_EQ(found.equal_width.size(), 2U);
  EXPECT_EQ(found.equal_width[0].arcs, 1);
  EXPECT_EQ(found.equal_width[0].upper, 0.5);
  EXPECT_EQ(found.equal_width[1].arcs, 4);
  EXPECT_DOUBLE_EQ(found.equal_width[1].mean_probability, 0.8);
  EXPECT_DOUBLE_EQ(found.equal_width[1].right, 0.75);
  EXPECT_NEAR(found.error_equal_width, (1 * 0.1 + 4 * 0.05) / 5, 1e-12);
  // Two and three arcs: {0.1, 0.6} and {0.8, 0.9, 0.9}.
  ASSERT_EQ(found.equal_count.size(), 2U);
  EXPECT_EQ(found.equal_count[0].arcs, 2);
  EXPECT_EQ(found.equal_count[0].upper, 0.6);
  EXPECT_EQ(found.equal_count[1].lower, 0.8);
  EXPECT_NEAR(found.error_equal_count, (2 * 0.15 + 3 * 0.2) / 5, 1e-12);
}

TEST(Calibration, EmptyBinsAreLeftOut) {
  const Calibration found = calibration(kArcs, 10);
  ASSERT_EQ(found.equal_width.size(), 4U);
  EXPECT_DOUBLE_EQ(found.equal_width[3].lower, 0.9);
  EXPECT_EQ(found.equal_width[3].arcs, 2);
  // 0.9 comes twice, and is not parted.
  ASSERT_EQ(found.equal_count.size(), 4U);
  EXPECT_EQ(found.equal_count[3].arcs, 2);
}

TEST(Calibration, OrderMakesNoDifference) {
  std::vector<ArcConfidence> arcs(100, {0.7, true});
  for (size_t k = 0; k < 30; ++k) arcs[k].is_right = false;
  const Calibration one = calibration(arcs);
  std::reverse(arcs.begin(), arcs.end());
  EXPECT_EQ(one.error_equal_count, calibration(arcs).error_equal_count);
  EXPECT_EQ(one.equal_count.size(), 1U);
  EXPECT_NEAR(one.error_equal_count, 0.0, 1e-12);
}

TEST(Calibration, CertaintyBelongsToTheLastBinAndHasAFiniteLoss) {
  const std::vector<ArcConfidence> arcs = {{1.0, false}, {0.0, true}};
  const Calibration found = calibration(arcs, 4);
  ASSERT_EQ(found.equal_width.size(), 2U);
  EXPECT_EQ(found.equal_width[1].lower, 0.75);
  EXPECT_EQ(found.equal_width[1].upper, 1.0);
  EXPECT_EQ(found.error_equal_width, 1.0);
  EXPECT_EQ(found.brier, 1.0);
  EXPECT_NEAR(found.log_loss, -std::log(kLogLossMargin), 1e-6);
}

// What chance alone makes of perfect probabilities, against drawing it again and again.
TEST(Calibration, ChanceIsWhatPerfectProbabilitiesWouldShow) {
  std::mt19937_64 random(20261120);
  std::uniform_real_distribution<double> uniform;
  std::vector<ArcConfidence> arcs(3000);
  for (ArcConfidence& arc : arcs) arc.probability = 1.0 - std::pow(uniform(random), 4.0);
  double width = 0.0;
  double count = 0.0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    for (ArcConfidence& arc : arcs) arc.is_right = uniform(random) < arc.probability;
    const Calibration found = calibration(arcs);
    width += found.error_equal_width / kRounds;
    count += found.error_equal_count / kRounds;
  }
  const Calibration found = calibration(arcs);
  EXPECT_NEAR(found.chance_equal_width / width, 1.0, 0.06);
  EXPECT_NEAR(found.chance_equal_count / count, 1.0, 0.06);
  EXPECT_EQ(calibration(std::vector<ArcConfidence>{{1.0, true}, {0.0, false}}).chance_equal_width, 0.0);
}

TEST(Calibration, NeedsArcsAndBins) {
  EXPECT_THROW(calibration({}), DataError);
  EXPECT_THROW(calibration(kArcs, 0), DataError);
}

TEST(PrecisionCurve, KeepsArcsFromTheThresholdOn) {
  const std::vector<double> thresholds = {0.0, 0.8, 0.95};
  const std::vector<ThresholdPoint> curve = precision_curve(kArcs, 8, thresholds);
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_EQ(curve[0].coverage.value(), 5.0 / 8.0);
  EXPECT_EQ(curve[0].precision.value(), 3.0 / 5.0);
  EXPECT_EQ(curve[1].coverage.value(), 3.0 / 8.0);
  EXPECT_EQ(curve[1].precision.value(), 2.0 / 3.0);
  EXPECT_EQ(curve[2].coverage.value(), 0.0);
  EXPECT_TRUE(std::isnan(curve[2].precision.value()));
}

TEST(EvenThresholds, KeepEquallyManyMoreArcsEach) {
  std::vector<ArcConfidence> arcs;
  for (int k = 99; k >= 0; --k) arcs.push_back({k / 100.0, true});
  const std::vector<double> thresholds = even_thresholds(arcs, 4);
  EXPECT_EQ(thresholds, (std::vector<double>{0.0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(precision_curve(arcs, 100, thresholds)[1].coverage.part, 75);
  EXPECT_EQ(even_thresholds(std::vector<ArcConfidence>(5, {0.5, false}), 4), (std::vector<double>{0.5}));
  EXPECT_TRUE(even_thresholds({}, 4).empty());
}

}  // namespace
}  // namespace copse::testing
