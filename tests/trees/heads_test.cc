#include "trees/heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "copse/treebank/sentence.h"

namespace copse {
namespace {

using Heads = std::vector<int>;

// Definitions that follow the words of the header, without regard to time.

bool leads_to_root(const Heads& heads, int word) {
  for (size_t step = 0; step <= heads.size(); ++step) {
    if (word <= 0) return word == 0;
    word = heads[word];
  }
  return false;
}

bool on_cycle(const Heads& heads, int word) {
  int current = word;
  for (size_t step = 0; step < heads.size(); ++step) {
    current = heads[current];
    if (current == word) return true;
    if (current <= 0) return false;
  }
  return false;
}

bool descends(const Heads& heads, int word, int ancestor) {
  while (word != ancestor && word > 0) word = heads[word];
  return word == ancestor;
}

bool arc_is_projective(const Heads& heads, int modifier) {
  const auto [low, high] = std::minmax(modifier, heads[modifier]);
  for (int between = low + 1; between < high; ++between) {
    if (!descends(heads, between, heads[modifier])) return false;
  }
  return true;
}

int naive_inner_sibling(const Heads& heads, int modifier) {
  const int head = heads[modifier];
  const int towards_head = head > modifier ? 1 : -1;
  for (int word = modifier + towards_head; word != head; word += towards_head) {
    if (heads[word] == head) return word;
  }
  return head;
}

// Every word gets a head among the words placed before it in a random order, near ones more often: about as
// many projective as non-projective trees for short lengths.
Heads random_tree(std::mt19937& random, int size) {
  std::vector<int> order(size);
  for (int k = 0; k < size; ++k) order[k] = k + 1;
  std::shuffle(order.begin(), order.end(), random);
  Heads heads(size + 1, kNoHead);
  std::vector<int> placed = {0};
  for (const int word : order) {
    const int choices = static_cast<int>(std::min<size_t>(placed.size(), 1 + random() % 3));
    std::sort(placed.begin(), placed.end(),
              [word](int a, int b) { return std::abs(a - word) < std::abs(b - word); });
    heads[word] = placed[random() % choices];
    placed.push_back(word);
  }
  return heads;
}

Heads random_heads(std::mt19937& random, int size) {
  Heads heads(size + 1, kNoHead);
  for (int m = 1; m <= size; ++m) heads[m] = static_cast<int>(random() % (size + 2)) - 1;
  return heads;
}

class RandomTrees : public ::testing::TestWithParam<unsigned> {
 protected:
  template <typename Check>
  void for_each_tree(Check check) {
    std::cout << "seed " << GetParam() << "\n";
    std::mt19937 random(GetParam());
    for (int run = 0; run < 2000; ++run) {
      const Heads heads = random_tree(random, static_cast<int>(random() % 14));
      ASSERT_NO_FATAL_FAILURE(check(heads)) << ::testing::PrintToString(heads);
      if (HasFailure()) FAIL() << ::testing::PrintToString(heads);
    }
  }
};

TEST_P(RandomTrees, AreTrees) {
  for_each_tree([](const Heads& heads) {
    EXPECT_TRUE(is_tree(heads));
    EXPECT_TRUE(find_cycle(heads).empty());
  });
}

TEST_P(RandomTrees, DepthsSpansLengthsAndRoots) {
  for_each_tree([](const Heads& heads) {
    const int size = static_cast<int>(heads.size());
    const std::vector<int> depth = depths(heads);
    const auto spans = subtree_spans(heads);
    const std::vector<int> lengths = arc_lengths(heads);
    std::vector<int> expected_roots;
    for (int m = 0; m < size; ++m) {
      int expected_depth = 0;
      for (int word = m; word > 0; word = heads[word]) ++expected_depth;
      EXPECT_EQ(depth[m], expected_depth);
      int first = m;
      int last = m;
      for (int word = 0; word < size; ++word) {
        if (!descends(heads, word, m)) continue;
        first = std::min(first, word);
        last = std::max(last, word);
      }
      EXPECT_EQ(spans[m], std::pair(first, last));
      EXPECT_EQ(lengths[m], m == 0 ? 0 : std::abs(m - heads[m]));
      if (m > 0 && heads[m] == 0) expected_roots.push_back(m);
    }
    EXPECT_EQ(roots(heads), expected_roots);
  });
}

TEST_P(RandomTrees, Projectivity) {
  int projective_trees = 0;
  for_each_tree([&projective_trees](const Heads& heads) {
    std::vector<int> expected;
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      if (!arc_is_projective(heads, m)) expected.push_back(m);
    }
    EXPECT_EQ(non_projective_arcs(heads), expected);
    EXPECT_EQ(is_projective(heads), expected.empty());
    projective_trees += expected.empty() ? 1 : 0;
  });
  EXPECT_GT(projective_trees, 200);
  EXPECT_LT(projective_trees, 1800);
}

TEST_P(RandomTrees, SiblingsAndGrandparents) {
  for_each_tree([](const Heads& heads) {
    const std::vector<int> inner = inner_siblings(heads);
    const std::vector<int> grand = grandparents(heads);
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      EXPECT_EQ(inner[m], naive_inner_sibling(heads, m)) << m;
      EXPECT_EQ(grand[m], heads[m] == 0 ? 0 : heads[heads[m]]) << m;
    }
    EXPECT_EQ(inner[0], kNoHead);
    EXPECT_EQ(grand[0], kNoHead);
  });
}

TEST_P(RandomTrees, CyclesInRandomHeads) {
  std::cout << "seed " << GetParam() << "\n";
  std::mt19937 random(GetParam());
  int trees = 0;
  int cyclic = 0;
  for (int run = 0; run < 5000; ++run) {
    const Heads heads = random_heads(random, 1 + static_cast<int>(random() % 8));
    const std::vector<int> cycle = find_cycle(heads);
    bool expect_tree = true;
    bool expect_cycle = false;
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      expect_tree = expect_tree && leads_to_root(heads, m);
      expect_cycle = expect_cycle || on_cycle(heads, m);
    }
    ASSERT_EQ(is_tree(heads), expect_tree) << ::testing::PrintToString(heads);
    ASSERT_EQ(!cycle.empty(), expect_cycle) << ::testing::PrintToString(heads);
    for (size_t k = 0; k < cycle.size(); ++k) {
      ASSERT_EQ(heads[cycle[k]], cycle[(k + 1) % cycle.size()]) << ::testing::PrintToString(heads);
      ASSERT_GE(cycle[k], cycle[0]);
    }
    trees += expect_tree ? 1 : 0;
    cyclic += expect_cycle ? 1 : 0;
  }
  EXPECT_GT(trees, 100);
  EXPECT_GT(cyclic, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Values(1U, 20240229U));

TEST(TreeUtilities, PartialTrees) {
  const Heads heads = {kNoHead, 2, kNoHead, 2, 5, 2, 0};
  EXPECT_FALSE(is_tree(heads));
  EXPECT_TRUE(find_cycle(heads).empty());
  EXPECT_EQ(inner_siblings(heads), (Heads{kNoHead, 2, kNoHead, 2, 5, 3, 0}));
  EXPECT_EQ(grandparents(heads), (Heads{kNoHead, kNoHead, kNoHead, kNoHead, 2, kNoHead, 0}));
  EXPECT_EQ(arc_lengths(heads), (Heads{0, 1, 0, 1, 1, 3, 6}));
  EXPECT_EQ(roots(heads), (Heads{6}));
}

TEST(TreeUtilities, HeadsThatAreNoTreeEndInNoEndlessLoop) {
  const Heads heads = {kNoHead, 2, 1, 3, kNoHead, 0};
  EXPECT_EQ(depths(heads).size(), heads.size());
  EXPECT_EQ(subtree_spans(heads).size(), heads.size());
  is_projective(heads);
  non_projective_arcs(heads);
}

TEST(TreeUtilities, LongChainsTakeLinearTime) {
  const int size = 1'000'000;
  Heads heads(size + 1, kNoHead);
  for (int m = 1; m <= size; ++m) heads[m] = m == size ? 0 : m + 1;
  EXPECT_TRUE(is_tree(heads));
  EXPECT_TRUE(is_projective(heads));
  EXPECT_TRUE(non_projective_arcs(heads).empty());
  EXPECT_EQ(depths(heads)[1], size);
  heads[size] = 1;
  EXPECT_EQ(find_cycle(heads).size(), static_cast<size_t>(size));
}

}  // namespace
}  // namespace copse
