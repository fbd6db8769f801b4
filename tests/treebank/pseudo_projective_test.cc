#include "treebank/pseudo_projective.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>

#include "copse/treebank/conll.h"
#include "inference/test_settings.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

struct Tree {
  std::vector<int> heads;
  std::vector<std::string> labels;
  bool operator==(const Tree&) const = default;
};

std::string to_string(const Tree& tree) {
  std::string text;
  for (std::size_t m = 1; m < tree.heads.size(); ++m) {
    text += (m == 1 ? "" : "  ") + std::to_string(tree.heads[m]) + ":" + tree.labels[m];
  }
  return text;
}

// The definitions, without regard to time.

bool descends(const std::vector<int>& heads, int word, int ancestor) {
  while (word != ancestor && word > 0) word = heads[word];
  return word == ancestor;
}

bool arc_is_projective(const std::vector<int>& heads, int modifier) {
  const auto [low, high] = std::minmax(modifier, heads[modifier]);
  for (int between = low + 1; between < high; ++between) {
    if (!descends(heads, between, heads[modifier])) return false;
  }
  return true;
}

bool tree_is_projective(const std::vector<int>& heads) {
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    if (!arc_is_projective(heads, m)) return false;
  }
  return true;
}

bool leads_to_root(const std::vector<int>& heads, int word) {
  for (std::size_t step = 0; step < heads.size() && word > 0; ++step) word = heads[word];
  return word == 0;
}

bool all_lead_to_root(const std::vector<int>& heads) {
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    if (!leads_to_root(heads, m)) return false;
  }
  return true;
}

std::vector<int> naively_lifted(std::vector<int> heads) {
  for (;;) {
    int shortest = 0;
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      const auto length = [&](int word) { return std::abs(word - heads[word]); };
      if (!arc_is_projective(heads, m) && (shortest == 0 || length(m) < length(shortest))) shortest = m;
    }
    if (shortest == 0) return heads;
    heads[shortest] = heads[heads[shortest]];
  }
}

Tree encoded(Tree tree, LiftScheme scheme, int* lifted = nullptr) {
  const int count = pseudo_projective_encode(tree.heads, tree.labels, scheme);
  if (lifted != nullptr) *lifted = count;
  return tree;
}

Tree decoded(Tree tree, int* restored = nullptr) {
  const int count = pseudo_projective_decode(tree.heads, tree.labels);
  if (restored != nullptr) *restored = count;
  return tree;
}

// Words in random order hang on the root or on any word before them, near ones more often.
Tree random_tree(int words, std::mt19937_64& random, std::span<const std::string> labels) {
  Tree tree{std::vector<int>(words + 1), std::vector<std::string>(words + 1)};
  std::vector<int> order(words);
  std::iota(order.begin(), order.end(), 1);
  std::shuffle(order.begin(), order.end(), random);
  for (int k = 0; k < words; ++k) {
    int head = 0;
    for (int tries = 0; tries < 3 && k > 0; ++tries) {
      const int other = random() % 16 == 0 ? 0 : order[random() % k];
      if (tries == 0 || std::abs(other - order[k]) < std::abs(head - order[k])) head = other;
    }
    tree.heads[order[k]] = head;
    tree.labels[order[k]] = labels[random() % labels.size()];
  }
  return tree;
}

constexpr LiftScheme kSchemes[] = {LiftScheme::head, LiftScheme::path, LiftScheme::head_and_path};
const std::vector<std::string> kPlainLabels = {"nsubj", "obj", "obl:arg", "det", "punct", "_"};
const std::vector<std::string> kOddLabels = {"a|b", "%", "a%", "\\", "a\\|", "|", "||", "x", "y\\\\%"};

TEST(PseudoProjective, TheTextbookExample) {
  // 1 hangs on 4 across the root word 3.
  const Tree tree{{0, 4, 1, 0, 3}, {"", "Atr", "AuxP", "Pred", "Sb"}};
  int lifted = 0;
  EXPECT_EQ(to_string(encoded(tree, LiftScheme::head, &lifted)), "3:Atr|Sb  1:AuxP  0:Pred  3:Sb");
  EXPECT_EQ(lifted, 1);
  EXPECT_EQ(to_string(encoded(tree, LiftScheme::path)), "3:Atr|  1:AuxP  0:Pred  3:Sb%");
  EXPECT_EQ(to_string(encoded(tree, LiftScheme::head_and_path)), "3:Atr|Sb  1:AuxP  0:Pred  3:Sb%");
  for (const LiftScheme scheme : kSchemes) {
    int restored = 0;
    EXPECT_EQ(decoded(encoded(tree, scheme), &restored), tree) << name(scheme);
    EXPECT_EQ(restored, 1);
  }
}

TEST(PseudoProjective, RandomTrees) {
  int exact[3] = {};
  int lifted_trees = 0;
  for (int number = 0; number < scaled(3000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const int words = 1 + static_cast<int>(random() % 14);
    const Tree tree = random_tree(words, random, random() % 4 == 0 ? kOddLabels : kPlainLabels);
    SCOPED_TRACE(to_string(tree));
    lifted_trees += tree_is_projective(tree.heads) ? 0 : 1;
    for (const LiftScheme scheme : kSchemes) {
      SCOPED_TRACE(std::string(name(scheme)));
      int lifted = 0;
      const Tree projective = encoded(tree, scheme, &lifted);
      SCOPED_TRACE(to_string(projective));
      ASSERT_TRUE(tree_is_projective(projective.heads));
      ASSERT_EQ(projective.heads, naively_lifted(tree.heads));
      int different = 0;
      for (int m = 1; m <= words; ++m) different += projective.heads[m] != tree.heads[m] ? 1 : 0;
      ASSERT_EQ(lifted, different);
      if (roots(tree.heads).size() == 1) {
        ASSERT_EQ(roots(projective.heads), roots(tree.heads));
      }
      int restored = 0;
      const Tree back = decoded(projective, &restored);
      ASSERT_TRUE(all_lead_to_root(back.heads)) << to_string(back);
      ASSERT_EQ(back.labels, tree.labels);
      ASSERT_LE(restored, lifted);
      if (lifted == 0) {
        ASSERT_EQ(back, tree);
      }
      exact[static_cast<int>(scheme)] += lifted > 0 && back == tree ? 1 : 0;
    }
  }
  // Most heads are found even among random trees with few labels; the richer the marks, the more.
  EXPECT_GT(exact[static_cast<int>(LiftScheme::head)], lifted_trees / 8);
  EXPECT_GT(exact[static_cast<int>(LiftScheme::head_and_path)], lifted_trees / 4);
  EXPECT_GT(exact[static_cast<int>(LiftScheme::head_and_path)], exact[static_cast<int>(LiftScheme::head)]);
}

TEST(PseudoProjective, ProjectiveTreesWithOrdinaryLabelsStay) {
  for (int number = 0; number < scaled(500); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    Tree tree = random_tree(1 + static_cast<int>(random() % 14), random, kPlainLabels);
    tree.heads = naively_lifted(tree.heads);
    for (const LiftScheme scheme : kSchemes) ASSERT_EQ(encoded(tree, scheme), tree);
    ASSERT_EQ(decoded(tree), tree);
  }
}

// A parser may write any label anywhere.
TEST(PseudoProjective, AnyMarksGiveATreeWithoutMarks) {
  const std::vector<std::string> labels = {"a",  "b",   "a|b",  "b|a", "a|",    "b%",     "a%",   "a|b%",
                                           "|b", "|a%", "a|a|", "%|%", "a||b%", "a|\\|b", "\\a|b"};
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const Tree tree = random_tree(1 + static_cast<int>(random() % 20), random, labels);
    SCOPED_TRACE(to_string(tree));
    const Tree back = decoded(tree);
    ASSERT_TRUE(all_lead_to_root(back.heads)) << to_string(back);
    ASSERT_FALSE(roots(back.heads).empty());
    for (const std::string& label : back.labels) {
      ASSERT_TRUE(label == "" || label == "a" || label == "b" || label == "\\a") << label;
    }
  }
}

TEST(PseudoProjective, WhereNoHeadIsFoundTheWordStays) {
  int restored = -1;
  const Tree tree{{0, 3, 3, 0}, {"", "a|zz", "b%", "root"}};
  EXPECT_EQ(to_string(decoded(tree, &restored)), "3:a  3:b  0:root");
  EXPECT_EQ(restored, 0);
}

TEST(PseudoProjective, PathMarksDecideBetweenEqualLabels) {
  // Both 2 and 4 are called x; only the arc of 4 has been passed. 2 comes first from left to right.
  EXPECT_EQ(to_string(decoded({{0, 3, 3, 0, 3}, {"", "a|x", "x", "root", "x%"}})), "4:a  3:x  0:root  3:x");
  EXPECT_EQ(to_string(decoded({{0, 3, 3, 0, 3}, {"", "a|x", "x", "root", "x"}})), "2:a  3:x  0:root  3:x");
}

TEST(PseudoProjective, PartialTreesAndCyclesKeepTheirHeads) {
  for (const std::vector<int>& heads :
       {std::vector<int>{0, 3, kNoHead, 0, 1}, std::vector<int>{0, 2, 1, 0, 2}}) {
    const Tree tree{heads, {"", "a|b", "c", "d%", "e"}};
    for (const LiftScheme scheme : kSchemes) {
      const Tree same = encoded(tree, scheme);
      EXPECT_EQ(same.heads, heads);
      EXPECT_EQ(decoded(same), tree);
    }
    EXPECT_EQ(decoded(tree).heads, heads);
  }
}

TEST(PseudoProjective, SmallestInputs) {
  for (const LiftScheme scheme : kSchemes) {
    EXPECT_EQ(encoded({{0}, {""}}, scheme), (Tree{{0}, {""}}));
    EXPECT_EQ(encoded({{}, {}}, scheme), Tree());
    EXPECT_EQ(encoded({{0, 0}, {"", "x"}}, scheme), (Tree{{0, 0}, {"", "x"}}));
  }
  Tree uneven{{0, 0}, {""}};
  EXPECT_THROW(pseudo_projective_encode(uneven.heads, uneven.labels, LiftScheme::head),
               std::invalid_argument);
  EXPECT_THROW(pseudo_projective_decode(uneven.heads, uneven.labels), std::invalid_argument);
}

TEST(PseudoProjective, SchemesHaveNames) {
  for (const LiftScheme scheme : kSchemes) EXPECT_EQ(parse_lift_scheme(name(scheme)), scheme);
  EXPECT_EQ(parse_lift_scheme("heads"), std::nullopt);
}

// One long chain through the words in random order: everything crosses everything.
TEST(PseudoProjective, LongTangles) {
  std::mt19937_64 random = case_generator(0);
  const int words = 400;
  std::vector<int> order(words);
  std::iota(order.begin(), order.end(), 1);
  std::shuffle(order.begin(), order.end(), random);
  Tree tree{std::vector<int>(words + 1), std::vector<std::string>(words + 1, "x")};
  for (int k = 1; k < words; ++k) tree.heads[order[k]] = order[k - 1];
  const Tree projective = encoded(tree, LiftScheme::head_and_path);
  EXPECT_TRUE(tree_is_projective(projective.heads));
  EXPECT_TRUE(all_lead_to_root(decoded(projective).heads));
}

TEST(PseudoProjective, SentencesKeepEverythingElse) {
  const std::string text =
      "# sent_id = 1\n"
      "1\tA\ta\tX\tY\tF=1\t4\tatr:x\t4:atr\tSpaceAfter=No\n"
      "2-3\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2\tb\tb\tX\tY\t_\t1\tauxp\t_\t_\n"
      "3\tc\tc\tX\tY\t_\t0\troot\t_\t_\n"
      "3.1\te\te\tX\tY\t_\t_\t_\t3:dep\t_\n"
      "4\td\td\tX\tY\t_\t3\tsb\t_\t_\n\n";
  Sentence sentence;
  ASSERT_TRUE(ConllReader::from_text(text).next(sentence));
  const Sentence before = sentence;
  EXPECT_EQ(pseudo_projective_encode(sentence, LiftScheme::head_and_path), 1);
  EXPECT_EQ(sentence[1].head(), 3);
  EXPECT_EQ(sentence[1].deprel(), "atr:x|sb");
  EXPECT_EQ(sentence[4].deprel(), "sb%");
  EXPECT_EQ(pseudo_projective_decode(sentence), 1);
  EXPECT_EQ(sentence, before);
}

TEST(PseudoProjective, RealTreesComeBack) {
  const char* folder = std::getenv("COPSE_SHARED_DATA");
  const std::filesystem::path file =
      std::filesystem::path(folder == nullptr ? "" : folder) / "cs_mix/train.conllu";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no treebank; set COPSE_SHARED_DATA";
  long lifted = 0;
  long wrong = 0;
  for (const Sentence& sentence : read_conll(file.string())) {
    Sentence copy = sentence;
    lifted += pseudo_projective_encode(copy, LiftScheme::head_and_path);
    ASSERT_TRUE(tree_is_projective(copy.heads()));
    const std::vector<WrongRestoration> told = find_wrong_restorations(sentence.heads(), copy);
    pseudo_projective_decode(copy);
    std::size_t found = 0;
    for (int m = 1; m <= copy.size(); ++m) {
      ASSERT_EQ(copy[m].deprel(), sentence[m].deprel());
      if (copy[m].head() == sentence[m].head()) continue;
      ++wrong;
      ASSERT_LT(found, told.size());
      EXPECT_EQ(told[found].word, m);
      EXPECT_EQ(told[found].head, sentence[m].head());
      EXPECT_EQ(told[found++].restored, copy[m].head());
    }
    EXPECT_EQ(found, told.size());
  }
  EXPECT_GT(lifted, 20);
  EXPECT_LE(wrong * 10, lifted);
}

}  // namespace
}  // namespace copse::testing
