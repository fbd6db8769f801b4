#include "analysis/training_page.h"

#include <gtest/gtest.h>

#include "analysis/curve_chart.h"
#include "render/xml_checker.h"

namespace copse::testing {
namespace {

constexpr std::string_view kPageStart = "<!DOCTYPE html>\n";

TEST(TrainingPage, WhateverTheNamesThePageIsSound) {
  TrainingStory story;
  story.model = "a/<b>&\"\xFF\x01.copse";
  story.outcome = "error: </p><script>";
  story.settings = {{"<key>", "&value"}};
  story.stages = {{"<training> \xE2\x80\xAE", 3.0, "UAS", true, {{1, 5.0, 0.5}, {2, 4.0, std::nullopt}}}};
  const std::string page = training_page(story);
  ASSERT_TRUE(page.starts_with(kPageStart));
  EXPECT_EQ(xml_defect(page.substr(kPageStart.size())), "");
  EXPECT_EQ(page.find("<script>"), std::string::npos);
}

TEST(TrainingPage, NothingToTell) {
  const std::string page = training_page({});
  EXPECT_EQ(xml_defect(page.substr(kPageStart.size())), "");
  EXPECT_EQ(page.find("<section"), std::string::npos);
}

TEST(TrainingPage, TheFirstOfTheBestIterationsIsMarked) {
  TrainingStory story;
  story.stages = {{"training", 1.0, "UAS", true, {{5, 3.0, 0.8}, {10, 2.0, 0.9}, {15, 1.0, 0.9}}}};
  EXPECT_NE(training_page(story).find("Best in iteration 10: 90.00%."), std::string::npos);
}

std::string chart_of(const std::vector<double>& values) {
  CurveChart chart{"values", "iteration", {}, {}, false, false};
  for (std::size_t k = 0; k < values.size(); ++k)
    chart.points.push_back({static_cast<double>(k + 1), values[k], ""});
  return curve_chart(chart);
}

TEST(CurveChart, AnyNumbersCanBeDrawn) {
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{1.0},
                                                                            {0.0, 0.0},
                                                                            {-5.0, -5.0, -5.0},
                                                                            {1e300, 1.0},
                                                                            {1e-300, 1e-299},
                                                                            {123456.0, 123456.1},
                                                                            {0.0, -3.0, 1e9},
                                                                            {1e6, 1.0, 1e-6}}) {
    const std::string chart = chart_of(values);
    EXPECT_EQ(xml_defect(chart), "") << values.front();
    EXPECT_EQ(chart.find("nan"), std::string::npos) << values.front();
    EXPECT_EQ(chart.find("inf"), std::string::npos) << values.front();
    EXPECT_LT(chart.size(), 20'000U) << values.front();
  }
  EXPECT_EQ(chart_of({}), "");
}

// The place of the last point, as it is drawn.
double last_height(const std::string& chart) {
  const std::size_t line = chart.find("class=\"line");
  const std::size_t last = chart.find('"', chart.find(" d=\"", line) + 4);
  return std::stod(chart.substr(chart.rfind(' ', last), last));
}

TEST(CurveChart, PowersOfTenGetALogarithmicAxis) {
  // On a logarithmic axis, equal ratios are equal distances.
  const double bottom = last_height(chart_of({1000.0, 1.0}));
  const double middle = last_height(chart_of({1000.0, 1.0, 31.6227766}));
  const double top = last_height(chart_of({1000.0, 1.0, 1000.0}));
  EXPECT_NEAR(middle, (bottom + top) / 2, 0.2);
  const double linear_bottom = last_height(chart_of({10.0, 0.0}));
  const double linear_middle = last_height(chart_of({10.0, 0.0, 5.0}));
  const double linear_top = last_height(chart_of({10.0, 0.0, 10.0}));
  EXPECT_NEAR(linear_middle, (linear_bottom + linear_top) / 2, 0.2);
  EXPECT_GT(bottom, top);
}

}  // namespace
}  // namespace copse::testing
