#include "text/closest_name.h"

#include <gtest/gtest.h>

#include <array>

namespace copse::testing {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"text", "tokens", "kbest", "min_confidence", "labels"};

TEST(ClosestName, MisspellingsAreRecognised) {
  EXPECT_EQ(closest_name("txt", kNames), "text");
  EXPECT_EQ(closest_name("tetx", kNames), "text");  // swapped
  EXPECT_EQ(closest_name("Text", kNames), "text");
  EXPECT_EQ(closest_name("token", kNames), "tokens");
  EXPECT_EQ(closest_name("k_best", kNames), "kbest");
  EXPECT_EQ(closest_name("minConfidence", kNames), "min_confidence");
  EXPECT_EQ(closest_name("lables", kNames), "labels");
}

TEST(ClosestName, OtherWordsAreNot) {
  EXPECT_EQ(closest_name("", kNames), "");
  EXPECT_EQ(closest_name("x", kNames), "");
  EXPECT_EQ(closest_name("sentence", kNames), "");
  EXPECT_EQ(closest_name(std::string(100'000, 'k'), kNames), "");
  EXPECT_EQ(closest_name("text", {}), "");
}

TEST(ClosestName, OfSeveralTheNearest) {
  constexpr std::array<std::string_view, 3> kNear = {"parser", "parse", "prase"};
  EXPECT_EQ(closest_name("parse", kNear), "parse");
  EXPECT_EQ(closest_name("parsee", kNear), "parser");  // one letter from the first two: the first
}

}  // namespace
}  // namespace copse::testing
