#include "constituency/constituent_tree.h"

#include <gtest/gtest.h>

#include "constituency/bracket_helpers.h"

namespace copse {
namespace {

TEST(ConstituentTree, KeepsNodesInReadingOrder) {
  const ConstituentTree tree = tree_of("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))");
  ASSERT_EQ(tree.size(), 6);
  EXPECT_EQ(tree.words(), 3);
  EXPECT_EQ(tree[0], (Constituent{"S", "", 6}));
  EXPECT_EQ(tree[1], (Constituent{"NP", "", 4}));
  EXPECT_EQ(tree[3], (Constituent{"NN", "dog", 4}));
  EXPECT_EQ(tree[4], (Constituent{"VP", "", 6}));
  EXPECT_TRUE(tree[5].is_word());
}

TEST(ConstituentTree, TextIsWhatAReaderReads) {
  for (const std::string text :
       {"(NN dog)", "( (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))", "(A (B (C (D d))) (E e))"}) {
    EXPECT_EQ(tree_of(text).to_text(), text);
  }
  EXPECT_EQ(ConstituentTree().to_text(), "");
}

TEST(Labels, BareCategory) {
  EXPECT_EQ(bare_category("NP"), "NP");
  EXPECT_EQ(bare_category("NP-SBJ-1"), "NP");
  EXPECT_EQ(bare_category("NP=2"), "NP");
  EXPECT_EQ(bare_category("NP-SBJ=1-3"), "NP");
  EXPECT_EQ(bare_category("ADVP|PRT"), "ADVP|PRT");
  EXPECT_EQ(bare_category("-LRB-"), "-LRB-");
  EXPECT_EQ(bare_category("-NONE-"), "-NONE-");
  EXPECT_EQ(bare_category("PRP$"), "PRP$");
  EXPECT_EQ(bare_category(""), "");
}

TEST(Labels, Functions) {
  EXPECT_TRUE(has_function("NP-SBJ", "SBJ"));
  EXPECT_TRUE(has_function("NP-TTL-SBJ-2", "SBJ"));
  EXPECT_TRUE(has_function("ADVP-PRD-LOC=3", "LOC"));
  EXPECT_FALSE(has_function("NP-SBJX", "SBJ"));
  EXPECT_FALSE(has_function("SBJ", "SBJ"));
  EXPECT_FALSE(has_function("NP", "NP"));
  EXPECT_FALSE(has_function("-LRB-", "LRB"));
  EXPECT_FALSE(has_function("", "SBJ"));
  EXPECT_FALSE(has_function("NP--", "SBJ"));
}

}  // namespace
}  // namespace copse
