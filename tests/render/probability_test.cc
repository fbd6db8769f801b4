#include "render/probability.h"

#include <gtest/gtest.h>

#include "render/text_width.h"

namespace copse {
namespace {

TEST(Percent, OnlyCertaintyIsRound) {
  EXPECT_EQ(percent(0.0), "0%");
  EXPECT_EQ(percent(1e-6), "<1%");
  EXPECT_EQ(percent(0.0049), "<1%");
  EXPECT_EQ(percent(0.0051), "1%");
  EXPECT_EQ(percent(0.5), "50%");
  EXPECT_EQ(percent(0.994), "99%");
  EXPECT_EQ(percent(0.996), ">99%");
  EXPECT_EQ(percent(1.0 - 1e-12), "100%");
  EXPECT_EQ(percent(1.0), "100%");
}

TEST(Bar, IsFilledFromTheLeft) {
  EXPECT_EQ(bar(0.0, 4, true), "    ");
  EXPECT_EQ(bar(1.0, 4, true), "████");
  EXPECT_EQ(bar(0.5, 4, true), "██  ");
  EXPECT_EQ(bar(0.625, 2, true), "█▎");
  EXPECT_EQ(bar(0.5, 4, false), "##..");
  EXPECT_EQ(bar(1.0, 4, false), "####");
  EXPECT_EQ(bar(0.5, 0, true), "");
}

TEST(Bar, HasItsWidthForAnyNumber) {
  for (const double probability : {-0.1, 0.0, 0.001, 0.33, 0.999, 1.0, 1.0 + 1e-12, 2.0}) {
    EXPECT_EQ(display_width(bar(probability, 7, true)), 7);
    EXPECT_EQ(display_width(bar(probability, 7, false)), 7);
  }
}

TEST(ConfidenceStyle, WarnsInTwoSteps) {
  EXPECT_EQ(confidence_style(0.95, 0.9), Style::plain);
  EXPECT_EQ(confidence_style(0.9, 0.9), Style::plain);
  EXPECT_EQ(confidence_style(0.89, 0.9), Style::yellow);
  EXPECT_EQ(confidence_style(0.49, 0.9), Style::red);
}

}  // namespace
}  // namespace copse
