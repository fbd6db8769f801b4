#include "analysis/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "copse/treebank/sentence.h"
#include "inference/test_settings.h"

namespace copse::testing {
namespace {

// The words on the way up from `word`, itself first; the last one is 0, a word without a head, or on a cycle.
std::vector<int> way_up(const std::vector<int>& heads, int word) {
  std::vector<int> way = {word};
  while (way.back() != 0 && heads[way.back()] != kNoHead) {
    const int next = heads[way.back()];
    if (std::find(way.begin(), way.end(), next) != way.end()) break;
    way.push_back(next);
  }
  return way;
}

bool is_first_of_cycle(const std::vector<int>& heads, int word) {
  std::set<int> passed;
  int current = word;
  while (current > 0 && passed.insert(current).second) current = heads[current];
  return current == word && *passed.begin() == word;
}

// From the definition: every word between the ends must have the head among its ancestors.
bool is_non_projective(const std::vector<int>& heads, int word) {
  const int head = heads[word];
  if (head == kNoHead || is_first_of_cycle(heads, word)) return false;
  for (int between = std::min(head, word) + 1; between < std::max(head, word); ++between) {
    int ancestor = between;
    while (ancestor != head && ancestor > 0) {
      ancestor = is_first_of_cycle(heads, ancestor) ? 0 : std::max(heads[ancestor], 0);
    }
    if (ancestor != head) return true;
  }
  return false;
}

TEST(TreeStructure, OfASmallTree) {
  // 2 is the root; 1 <- 2 -> 4 -> 3, and 5 hangs on 3: the arc from 3 to 5 passes over 4.
  const TreeStructure found = tree_structure(std::vector<int>{-1, 2, 0, 4, 2, 3});
  EXPECT_EQ(std::vector<int>(found.root_distances.begin() + 1, found.root_distances.end()),
            (std::vector<int>{2, 1, 3, 2, 4}));
  EXPECT_EQ(std::vector<int>(found.modifiers.begin() + 1, found.modifiers.end()),
            (std::vector<int>{0, 2, 1, 1, 0}));
  EXPECT_EQ(std::vector<int>(found.siblings.begin() + 1, found.siblings.end()),
            (std::vector<int>{1, 0, 0, 1, 0}));
  EXPECT_EQ(std::vector<int>(found.is_non_projective.begin() + 1, found.is_non_projective.end()),
            (std::vector<int>{0, 0, 0, 0, 1}));
}

TEST(TreeStructure, NothingLeadsFromACycleToTheRoot) {
  const TreeStructure found = tree_structure(std::vector<int>{-1, 2, 1, 1, -1, 4, 6, 0});
  EXPECT_EQ(
      std::vector<int>(found.root_distances.begin() + 1, found.root_distances.end()),
      (std::vector<int>{kNoDistance, kNoDistance, kNoDistance, kNoDistance, kNoDistance, kNoDistance, 1}));
  EXPECT_TRUE(tree_structure(std::vector<int>{-1}).root_distances.size() == 1);
}

TEST(TreeStructure, AnyHeadsAsDefined) {
  for (int number = 0; number < scaled(3000); ++number) {
    std::mt19937_64 generator(base_seed() + number);
    SCOPED_TRACE("COPSE_TEST_SEED=" + std::to_string(base_seed()) + ", case " + std::to_string(number));
    const int words = static_cast<int>(generator() % 12);
    std::vector<int> heads = {kNoHead};
    for (int word = 1; word <= words; ++word) {
      heads.push_back(static_cast<int>(generator() % static_cast<uint64_t>(words + 2)) - 1);
    }
    const TreeStructure found = tree_structure(heads);
    for (int word = 1; word <= words; ++word) {
      const std::vector<int> way = way_up(heads, word);
      EXPECT_EQ(found.root_distances[word], way.back() == 0 ? static_cast<int>(way.size()) - 1 : kNoDistance);
      EXPECT_EQ(found.modifiers[word], std::count(heads.begin() + 1, heads.end(), word));
      const auto same_head = std::count(heads.begin() + 1, heads.end(), heads[word]);
      EXPECT_EQ(found.siblings[word], heads[word] == kNoHead ? 0 : same_head - 1);
      EXPECT_EQ(found.is_non_projective[word] != 0, is_non_projective(heads, word)) << "word " << word;
    }
  }
}

}  // namespace
}  // namespace copse::testing
