#include "copse/inference/arc_set.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "inference/random_cases.h"

namespace copse::testing {
namespace {

// The documented numbering: head, then side (left first), then distance.
std::vector<Arc> in_documented_order(const std::vector<Arc>& arcs) {
  std::set<std::tuple<int, bool, int, int>> keys;
  for (const auto& [head, modifier] : arcs) {
    keys.emplace(head, modifier > head, std::abs(head - modifier), modifier);
  }
  std::vector<Arc> ordered;
  for (const auto& [head, is_right, distance, modifier] : keys) ordered.push_back({head, modifier});
  return ordered;
}

void expect_arcs(const ArcSet& set, int words, const std::vector<Arc>& arcs) {
  const std::vector<Arc> expected = in_documented_order(arcs);
  ASSERT_EQ(set.words(), words);
  ASSERT_EQ(set.size(), static_cast<int>(expected.size()));
  EXPECT_EQ(set.is_full(), set.size() == words * words);
  int arc = 0;
  for (int head = 0; head <= words; ++head) {
    for (Side side : {Side::left, Side::right}) {
      const ArcSet::Range range = set.outgoing(head, side);
      ASSERT_EQ(range.first, arc);
      for (; arc < static_cast<int>(expected.size()) && expected[arc].head == head &&
             ArcSet::side(expected[arc]) == side;
           ++arc) {
        EXPECT_EQ(set[arc], expected[arc]);
        EXPECT_EQ(set.outgoing_rank(arc), arc - range.first);
      }
      ASSERT_EQ(range.last, arc);
      EXPECT_EQ(range.size(), range.last - range.first);
    }
  }
  for (int modifier = 1; modifier <= words; ++modifier) {
    const std::span<const int> incoming = set.incoming(modifier);
    std::size_t lane = 0;
    for (int head = 0; head <= words; ++head) {
      const int found = set.find(head, modifier);
      if (std::find(arcs.begin(), arcs.end(), Arc{head, modifier}) == arcs.end()) {
        EXPECT_EQ(found, ArcSet::kNone);
        continue;
      }
      ASSERT_NE(found, ArcSet::kNone);
      EXPECT_EQ(set[found], (Arc{head, modifier}));
      ASSERT_LT(lane, incoming.size());
      EXPECT_EQ(incoming[lane], found);
      EXPECT_EQ(set.incoming_rank(found), static_cast<int>(lane));
      ++lane;
    }
    EXPECT_EQ(lane, incoming.size());
  }
}

TEST(ArcSet, AllArcs) {
  ArcSet set;
  for (int words : {5, 1, 9, 2, 80, 3}) {
    SCOPED_TRACE("words " + std::to_string(words));
    Generator unused = case_generator(0);
    set.assign_all(words);
    EXPECT_TRUE(set.is_full());
    expect_arcs(set, words, random_arcs(unused, words, 1));
  }
}

TEST(ArcSet, AnyArcsInAnyOrderWithRepetitions) {
  ArcSet set;
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    const int words = uniform_int(random, 1, 12);
    std::vector<Arc> arcs = random_arcs(random, words, uniform(random, 0, 1));
    for (int repeated = 0; repeated < 3 && !arcs.empty(); ++repeated) {
      arcs.push_back(arcs[uniform_int(random, 0, static_cast<int>(arcs.size()) - 1)]);
    }
    set.assign(words, arcs);
    expect_arcs(set, words, arcs);
    if (HasFailure()) return;
  }
}

// 65,537² is 131,073 in 32 bits: with so many arcs the set was taken for the set of all.
TEST(ArcSet, OfALongSentenceIsNotTakenForAllArcs) {
  constexpr int kWords = 65'537;
  constexpr int kArcs = 131'073;
  std::vector<Arc> some;
  for (int modifier = 1; modifier <= kWords; ++modifier) some.push_back({0, modifier});
  for (int modifier = 2; some.size() < kArcs; ++modifier) {
    some.push_back({1, modifier});
    if (some.size() < kArcs && modifier == kWords) some.push_back({2, 3});
    if (modifier == kWords) break;
  }
  ASSERT_EQ(some.size(), static_cast<std::size_t>(kArcs));
  ArcSet set;
  set.assign(kWords, some);
  EXPECT_FALSE(set.is_full());
  EXPECT_EQ(set.find(5, 6), ArcSet::kNone);
  const int found = set.find(1, 7);
  ASSERT_NE(found, ArcSet::kNone);
  EXPECT_EQ(set[found], (Arc{1, 7}));
}

TEST(ArcSet, RefusesMoreArcsThanHaveNumbers) {
  ArcSet set;
  EXPECT_THROW(set.assign_all(46'341), std::length_error);
  EXPECT_THROW(set.assign_all(60'000), std::length_error);
}

TEST(ArcSet, RefusesArcsThatNoTreeCanHave) {
  ArcSet set;
  for (const Arc& arc : {Arc{1, 0}, Arc{0, 0}, Arc{2, 2}, Arc{4, 1}, Arc{-1, 1}, Arc{1, 4}, Arc{1, -1}}) {
    EXPECT_THROW(set.assign(3, std::vector<Arc>{{0, 1}, arc}), std::invalid_argument)
        << arc.head << "→" << arc.modifier;
  }
}

}  // namespace
}  // namespace copse::testing
