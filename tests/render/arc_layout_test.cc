#include "render/arc_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "inference/test_settings.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

TEST(ArcLayout, LevelsFollowTheNesting) {
  // 2 is the root; 1 <- 2 -> 4 -> 3, and 5 hangs on 2.
  const std::vector<int> heads = {-1, 2, 0, 4, 2, 2};
  const std::vector<double> widths(heads.size(), 30.0);
  const std::vector<double> labels(heads.size(), 0.0);
  const ArcLayout layout = lay_out_arcs(heads, widths, labels);
  EXPECT_EQ(layout.arcs[1].level, 1);
  EXPECT_EQ(layout.arcs[3].level, 1);
  EXPECT_EQ(layout.arcs[4].level, 2);
  EXPECT_EQ(layout.arcs[5].level, 3);
  EXPECT_EQ(layout.arcs[2].level, 4);  // above all arcs that start there
  EXPECT_EQ(layout.levels, 4);
  EXPECT_LT(layout.arcs[5].from, layout.arcs[4].from);
  EXPECT_EQ(layout.arcs[2].from, layout.arcs[2].to);
}

TEST(ArcLayout, WordsWithoutHeadHaveNoArc) {
  const std::vector<int> heads = {-1, -1, 1};
  const ArcLayout layout = lay_out_arcs(heads, std::vector<double>(3, 10.0), std::vector<double>(3, 0.0));
  EXPECT_EQ(layout.arcs[1].level, 0);
  EXPECT_EQ(layout.arcs[2].level, 1);
  EXPECT_EQ(lay_out_arcs(std::vector<int>{-1}, std::vector<double>(1), std::vector<double>(1)).levels, 0);
}

// Any heads without cycles: each word hangs on one that was placed before, in a random order.
std::vector<int> random_heads(int words, std::mt19937_64& generator) {
  std::vector<int> order(static_cast<size_t>(words));
  for (int k = 0; k < words; ++k) order[k] = k + 1;
  std::shuffle(order.begin(), order.end(), generator);
  std::vector<int> heads(static_cast<size_t>(words) + 1, -1);
  for (int k = 0; k < words; ++k) {
    const int choice = std::uniform_int_distribution<int>(-1, k)(generator);
    heads[order[k]] = choice < 0 ? -1 : choice == k ? 0 : order[choice];
  }
  return heads;
}

struct Segment {
  double left, right;
  int level;
};

TEST(ArcLayout, NothingOverlaps) {
  for (int number = 0; number < scaled(300); ++number) {
    SCOPED_TRACE("seed " + std::to_string(base_seed()) + ", case " + std::to_string(number));
    std::mt19937_64 generator = case_generator(number);
    const int words = std::uniform_int_distribution<int>(1, 25)(generator);
    const std::vector<int> heads = random_heads(words, generator);
    std::vector<double> widths(heads.size());
    std::vector<double> labels(heads.size());
    for (double& width : widths) width = std::uniform_real_distribution<double>(1.0, 90.0)(generator);
    for (double& width : labels) width = std::uniform_real_distribution<double>(0.0, 120.0)(generator);
    const ArcLayout layout = lay_out_arcs(heads, widths, labels);
    for (int word = 1; word < words; ++word) {
      EXPECT_LT(layout.centres[word] + widths[word] / 2, layout.centres[word + 1] - widths[word + 1] / 2);
    }
    std::vector<Segment> segments;
    for (int word = 1; word <= words; ++word) {
      if (heads[word] <= 0) continue;
      const ArcLayout::Arc& arc = layout.arcs[word];
      segments.push_back({std::min(arc.from, arc.to), std::max(arc.from, arc.to), arc.level});
      EXPECT_GE(segments.back().right - segments.back().left, labels[word]);
      EXPECT_EQ(arc.from < arc.to, heads[word] < word);
    }
    for (size_t a = 0; a < segments.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        if (segments[a].level != segments[b].level) continue;
        EXPECT_TRUE(segments[a].right <= segments[b].left || segments[b].right <= segments[a].left);
      }
    }
  }
}

TEST(ArcLayout, ArcsOfProjectiveTreesDoNotCross) {
  int projective = 0;
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE("seed " + std::to_string(base_seed()) + ", case " + std::to_string(number));
    std::mt19937_64 generator = case_generator(number);
    const int words = std::uniform_int_distribution<int>(1, 9)(generator);
    const std::vector<int> heads = random_heads(words, generator);
    if (!is_tree(heads) || !is_projective(heads)) continue;
    ++projective;
    const ArcLayout layout =
        lay_out_arcs(heads, std::vector<double>(heads.size(), 20.0), std::vector<double>(heads.size(), 0.0));
    for (int a = 1; a <= words; ++a) {
      if (heads[a] == 0) continue;
      const ArcLayout::Arc& flat = layout.arcs[a];
      for (int b = 1; b <= words; ++b) {
        // The upright lines of b reach from the words up to its level.
        if (b == a || layout.arcs[b].level < flat.level) continue;
        for (const double x : {layout.arcs[b].from, layout.arcs[b].to}) {
          EXPECT_FALSE(x > std::min(flat.from, flat.to) && x < std::max(flat.from, flat.to)) << a << " " << b;
        }
      }
    }
  }
  EXPECT_GT(projective, scaled(2000) / 40);
}

TEST(TwoSidedLayout, WordsLieAtTheSamePlacesOnBothSides) {
  for (int number = 0; number < scaled(200); ++number) {
    std::mt19937_64 generator(base_seed() + number);
    SCOPED_TRACE("COPSE_TEST_SEED=" + std::to_string(base_seed()) + ", case " + std::to_string(number));
    const int words = 1 + static_cast<int>(generator() % 15);
    const std::vector<int> above = random_heads(words, generator);
    const std::vector<int> below = random_heads(words, generator);
    const auto random_widths = [&] {
      std::vector<double> widths;
      for (int word = 0; word <= words; ++word) widths.push_back(static_cast<double>(generator() % 80));
      return widths;
    };
    const std::vector<double> widths = random_widths();
    const std::vector<double> labels_above = random_widths();
    const std::vector<double> labels_below = random_widths();
    const TwoSidedLayout layout = lay_out_two_sides(widths, {above, labels_above}, {below, labels_below});
    EXPECT_EQ(layout.above.centres, layout.below.centres);
    EXPECT_EQ(layout.above.width, layout.below.width);
    for (int word = 1; word <= words; ++word) {
      const auto has_room = [&](const ArcLayout& side, const std::vector<int>& heads,
                                const std::vector<double>& labels) {
        const ArcLayout::Arc& arc = side.arcs[word];
        return heads[word] <= 0 || std::abs(arc.to - arc.from) >= labels[word];
      };
      EXPECT_TRUE(has_room(layout.above, above, labels_above));
      EXPECT_TRUE(has_room(layout.below, below, labels_below));
    }
  }
}

}  // namespace
}  // namespace copse::testing
