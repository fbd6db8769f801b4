#include "parsing/projectivize.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <tuple>

#include "copse/treebank/conll.h"
#include "inference/enumeration.h"
#include "inference/test_settings.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

std::string to_string(const Heads& heads) {
  std::string text;
  for (std::size_t m = 1; m < heads.size(); ++m) text += (m == 1 ? "" : " ") + std::to_string(heads[m]);
  return text;
}

int words_of(const Heads& heads) { return static_cast<int>(heads.size()) - 1; }

bool is_complete(const Heads& heads) { return std::count(heads.begin() + 1, heads.end(), kNoHead) == 0; }

int shared_arcs(const Heads& left, const Heads& right) {
  int shared = 0;
  for (int m = 1; m <= words_of(left); ++m) shared += left[m] == right[m] && left[m] != kNoHead;
  return shared;
}

// How far above the old head of `word` the new one stands, or nothing.
std::optional<int> distance_of_substitute(const Heads& old_heads, RootMode root, int word, int new_head) {
  if (old_heads[word] == 0) {
    if (root == RootMode::multi || new_head == 0 || old_heads[new_head] != 0) return std::nullopt;
    return static_cast<int>(std::count(old_heads.begin() + 1, old_heads.begin() + new_head + 1, 0));
  }
  int at = old_heads[word];
  for (int distance = 1; distance <= words_of(old_heads) && at > 0; ++distance) {
    at = old_heads[at];
    if (at == new_head) return distance;
  }
  return std::nullopt;
}

// The criteria that the result is chosen by: the higher, the better.
using Rank = std::tuple<int, int, int>;

Rank rank_of(const Heads& tree, const Heads& old_heads, RootMode root) {
  int substitutes = 0;
  int distances = 0;
  for (int m = 1; m <= words_of(tree); ++m) {
    if (old_heads[m] == kNoHead || old_heads[m] == m || tree[m] == old_heads[m]) continue;
    if (const auto distance = distance_of_substitute(old_heads, root, m, tree[m])) {
      ++substitutes;
      distances += *distance;
    }
  }
  return {shared_arcs(tree, old_heads), substitutes, -distances};
}

bool obeys(const Heads& tree, RootMode root) { return root == RootMode::multi || has_single_root(tree); }

class ProjectivizeTest : public ::testing::Test {
 protected:
  Heads projectivized(const Heads& heads, RootMode root) {
    Heads result;
    changed_ = projectivizer_.projectivize(heads, root, result);
    return result;
  }
  int changed() const { return changed_; }

  // Everything that holds for every input, looked up among all trees.
  void check_by_enumeration(const Heads& heads, RootMode root) {
    SCOPED_TRACE(std::string(name(root)) + " " + to_string(heads));
    Rank best_rank{-1, 0, 0};
    for (const Heads& tree : all_projective_trees(words_of(heads))) {
      if (obeys(tree, root)) best_rank = std::max(best_rank, rank_of(tree, heads, root));
    }
    const Heads result = projectivized(heads, root);
    const auto known = words_of(heads) - std::count(heads.begin() + 1, heads.end(), kNoHead);
    ASSERT_EQ(changed(), known - std::get<0>(best_rank));
    ASSERT_EQ(shared_arcs(result, heads), std::get<0>(best_rank));
    if (is_complete(heads)) {
      ASSERT_TRUE(is_projective_tree(result) && obeys(result, root)) << to_string(result);
      ASSERT_EQ(rank_of(result, heads, root), best_rank) << to_string(result);
    } else {
      for (int m = 1; m <= words_of(heads); ++m) {
        ASSERT_TRUE(result[m] == kNoHead || result[m] == heads[m]) << to_string(result);
      }
      const std::vector<Heads>& trees = all_projective_trees(words_of(heads));
      const int remaining = shared_arcs(result, result);
      ASSERT_TRUE(std::any_of(
          trees.begin(), trees.end(),
          [&](const Heads& tree) { return obeys(tree, root) && shared_arcs(tree, result) == remaining; }))
          << to_string(result) << " is part of no tree";
    }
    ASSERT_EQ(projectivized(result, root), result) << "not a fixed point";
    ASSERT_EQ(changed(), 0);
  }

 private:
  Projectivizer projectivizer_;
  int changed_ = 0;
};

// Each word's head is any of 0..n, itself included, or none.
Heads random_heads(int words, double unknown_share, std::mt19937_64& random) {
  Heads heads(static_cast<std::size_t>(words) + 1, kNoHead);
  std::uniform_real_distribution<double> uniform;
  for (int m = 1; m <= words; ++m) {
    if (uniform(random) >= unknown_share) heads[m] = static_cast<int>(random() % (words + 1));
  }
  return heads;
}

// A tree, seldom projective: words in random order hang on the root or on any word before them.
Heads random_tree(int words, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(words));
  std::iota(order.begin(), order.end(), 1);
  std::shuffle(order.begin(), order.end(), random);
  Heads heads(order.size() + 1, 0);
  for (std::size_t k = 1; k < order.size(); ++k) heads[order[k]] = order[random() % k];
  return heads;
}

// The usual approximation: of the arcs that are not projective, lifts the shortest again and again.
Heads lifted(Heads heads) {
  for (auto arcs = non_projective_arcs(heads); !arcs.empty(); arcs = non_projective_arcs(heads)) {
    const auto length = [&heads](int m) { return std::abs(heads[m] - m); };
    const int shortest = *std::min_element(arcs.begin(), arcs.end(),
                                           [&](int left, int right) { return length(left) < length(right); });
    heads[shortest] = heads[heads[shortest]];
  }
  return heads;
}

TEST_F(ProjectivizeTest, FindsTheBestOfAllTreesForEveryShortVector) {
  for (int words = 1; words <= 4; ++words) {
    for_each_head_vector(words + 1, [&](const Heads& shifted) {
      if (shifted.back() != 0) return;
      // Numbers 0..n+1 of which n + 1 stands for no head; the last word is there for that only.
      Heads heads(shifted.begin(), shifted.end() - 1);
      std::replace(heads.begin() + 1, heads.end(), words + 1, kNoHead);
      for (const RootMode root : kRootModes) check_by_enumeration(heads, root);
    });
  }
}

TEST_F(ProjectivizeTest, FindsTheBestOfAllTreesForRandomVectors) {
  for (int number = 0; number < scaled(1500); ++number) {
    std::mt19937_64 random = case_generator(number);
    SCOPED_TRACE(case_name(number));
    const int words = 5 + static_cast<int>(random() % 2);
    const RootMode root = kRootModes[random() % 2];
    check_by_enumeration(random_heads(words, 0, random), root);
    check_by_enumeration(random_heads(words, 0.4, random), root);
    check_by_enumeration(random_tree(words, random), root);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ProjectivizeTest, LeavesProjectiveTreesAlone) {
  for (const Heads& tree : all_projective_trees(5)) {
    EXPECT_EQ(projectivized(tree, RootMode::multi), tree);
    EXPECT_EQ(changed(), 0);
    if (!has_single_root(tree)) continue;
    EXPECT_EQ(projectivized(tree, RootMode::single), tree);
    EXPECT_EQ(changed(), 0);
  }
  Heads chain(100'001);  // far beyond what can be decoded
  std::iota(chain.begin(), chain.end(), -1);
  EXPECT_EQ(projectivized(chain, RootMode::single), chain);
}

TEST_F(ProjectivizeTest, LiftsToTheNearestAncestor) {
  // 4 hangs on 2 across 3, which belongs to 5; the head of 2 is 1, and 1 is under 5.
  EXPECT_EQ(projectivized({kNoHead, 5, 1, 5, 2, 0}, RootMode::single), (Heads{kNoHead, 5, 1, 5, 5, 0}));
  EXPECT_EQ(changed(), 1);
  // Here 4 hangs on 1 across 3. The head of 1 is 2, where the arc to 4 would cross that from 5 to 3 just as
  // well.
  EXPECT_EQ(projectivized({kNoHead, 2, 5, 5, 1, 0}, RootMode::single), (Heads{kNoHead, 2, 5, 5, 5, 0}));
  EXPECT_EQ(changed(), 1);
  // The arcs from 2 to 4 and from 3 to 5 cross. Only 3 and 5 can take 4 without changing more, ancestors or
  // not.
  projectivized({kNoHead, 0, 1, 1, 2, 3}, RootMode::single);
  EXPECT_EQ(changed(), 1);
}

TEST_F(ProjectivizeTest, KeepsTheFirstOfSeveralRoots) {
  EXPECT_EQ(projectivized({kNoHead, 0, 1, 0, 0, 4}, RootMode::single), (Heads{kNoHead, 0, 1, 1, 1, 4}));
  EXPECT_EQ(changed(), 2);
  EXPECT_EQ(projectivized({kNoHead, 0, 1, 0, 0, 4}, RootMode::multi), (Heads{kNoHead, 0, 1, 0, 0, 4}));
}

TEST_F(ProjectivizeTest, KeepsPartsOfTreesThatFitTogether) {
  const Heads compatible = {kNoHead, kNoHead, 1, kNoHead, 3, kNoHead};
  EXPECT_EQ(projectivized(compatible, RootMode::single), compatible);
  const Heads two_roots = {kNoHead, 0, kNoHead, 0};
  EXPECT_EQ(projectivized(two_roots, RootMode::multi), two_roots);
  EXPECT_EQ(projectivized(two_roots, RootMode::single), (Heads{kNoHead, 0, kNoHead, kNoHead}));
  const Heads none = {kNoHead, kNoHead, kNoHead};
  EXPECT_EQ(projectivized(none, RootMode::single), none);
  // Nothing crosses, and yet 2 has no place to hang on: 1 and 3 are below it, and their arc is in the way of
  // 0.
  projectivized({kNoHead, 2, kNoHead, 1}, RootMode::multi);
  EXPECT_EQ(changed(), 1);
}

TEST_F(ProjectivizeTest, RefusesHeadsOutsideTheSentence) {
  for (const int head : {-2, 3, 1'000'000}) {
    EXPECT_THROW(projectivized({kNoHead, head, 0}, RootMode::multi), DataError) << head;
  }
  EXPECT_EQ(projectivized({kNoHead}, RootMode::single), Heads{kNoHead});
  EXPECT_TRUE(projectivized({}, RootMode::single).empty());
}

TEST_F(ProjectivizeTest, KeepsAtLeastWhatLiftingKeeps) {
  int better = 0;
  for (int number = 0; number < scaled(300); ++number) {
    std::mt19937_64 random = case_generator(number);
    SCOPED_TRACE(case_name(number));
    const Heads heads = random_tree(2 + static_cast<int>(random() % 40), random);
    const Heads result = projectivized(heads, RootMode::multi);
    ASSERT_TRUE(is_projective_tree(result));
    ASSERT_EQ(changed(), words_of(heads) - shared_arcs(result, heads));
    const int kept_by_lifting = shared_arcs(lifted(heads), heads);
    ASSERT_GE(shared_arcs(result, heads), kept_by_lifting);
    better += shared_arcs(result, heads) > kept_by_lifting;
    const Heads single = projectivized(heads, RootMode::single);
    ASSERT_TRUE(is_projective_tree(single) && has_single_root(single));
    ASSERT_EQ(projectivized(single, RootMode::single), single);
  }
  EXPECT_GT(better, 0) << "lifting is only an approximation";
}

TEST_F(ProjectivizeTest, HandlesLongSentences) {
  std::mt19937_64 random = case_generator(0);
  const Heads heads = random_tree(test_scale() < 1 ? 150 : 600, random);
  const Heads result = projectivized(heads, RootMode::single);
  EXPECT_TRUE(is_projective_tree(result) && has_single_root(result));
  EXPECT_GE(shared_arcs(result, heads), shared_arcs(lifted(heads), heads));
}

TEST_F(ProjectivizeTest, MakesATreebankProjective) {
  const char* root = std::getenv("COPSE_SHARED_DATA");
  const std::filesystem::path file =
      std::filesystem::path(root == nullptr ? "" : root) / "cs_mix" / "train.conllu";
  if (root == nullptr || !std::filesystem::exists(file)) {
    GTEST_SKIP() << "needs the treebank cs_mix in the folder that COPSE_SHARED_DATA names";
  }
  int sentences = 0;
  int non_projective = 0;
  int lifted_arcs = 0;
  int changed_arcs = 0;
  ConllReader reader(file);
  for (Sentence sentence; reader.next(sentence);) {
    const Heads heads = sentence.heads();
    const Heads result = projectivized(heads, RootMode::single);
    ASSERT_TRUE(is_tree(result) && is_projective(result) && roots(result).size() == 1)
        << "line " << reader.first_line();
    ASSERT_EQ(changed() == 0, result == heads);
    ++sentences;
    non_projective += !is_projective(heads);
    changed_arcs += changed();
    lifted_arcs += words_of(heads) - shared_arcs(lifted(heads), heads);
  }
  std::cout << "non-projective sentences: " << non_projective << " of " << sentences
            << ", arcs changed: " << changed_arcs << " (by lifting " << lifted_arcs << ")" << std::endl;
  EXPECT_GT(non_projective, 0);
  EXPECT_GE(changed_arcs, non_projective);
  EXPECT_LE(changed_arcs, lifted_arcs);
}

}  // namespace
}  // namespace copse::testing
