#include "copse/treebank/sentence.h"

#include <gtest/gtest.h>

#include "treebank/conll_helpers.h"
#include "treebank/conll_samples.h"

namespace copse {
namespace {

TEST(ParseHead, TakesCanonicalNumbersAndTheUnderscore) {
  EXPECT_EQ(parse_head("_"), kNoHead);
  EXPECT_EQ(parse_head("0"), 0);
  EXPECT_EQ(parse_head("2147483647"), 2147483647);
  for (const char* text : {"", "007", "00", "-1", "+1", " 1", "1 ", "1.0", "x", "__", "2147483648", "-"}) {
    EXPECT_EQ(parse_head(text), std::nullopt) << text;
  }
}

TEST(Token, StartsWithoutValues) {
  const Token token;
  EXPECT_EQ(token.columns(), "_\t_\t_\t_\t_\t_\t_\t_\t_");
  EXPECT_EQ(token.form(), "_");
  EXPECT_EQ(token.misc(), "_");
  EXPECT_EQ(token.head(), kNoHead);
}

TEST(Token, EveryFieldCanBeSetInAnyOrder) {
  Token token;
  token.set_misc("SpaceAfter=No");
  token.set_form("dogs");
  token.set_head(12);
  token.set_xpos("NNS");
  token.set_lemma("dog");
  token.set_deps("12:nsubj");
  token.set_upos("NOUN");
  token.set_deprel("nsubj");
  token.set_feats("Number=Plur");
  EXPECT_EQ(token.columns(), "dogs\tdog\tNOUN\tNNS\tNumber=Plur\t12\tnsubj\t12:nsubj\tSpaceAfter=No");
  EXPECT_EQ(token.head_text(), "12");
  EXPECT_EQ(token.head(), 12);
  token.set_head(kNoHead);
  token.set_deprel("");
  token.set_feats("A=B");
  EXPECT_EQ(token.columns(), "dogs\tdog\tNOUN\tNNS\tA=B\t_\t_\t12:nsubj\tSpaceAfter=No");
  EXPECT_EQ(token.deprel(), "_");
  EXPECT_EQ(token.misc(), "SpaceAfter=No");
}

TEST(Token, AFieldCanBeSetToAViewOfAnother) {
  Token token;
  token.set_form("a form that is longer than the others");
  token.set_lemma(token.form());
  token.set_form(token.form().substr(2, 4));
  token.set_misc(token.columns().substr(0, 4));
  EXPECT_EQ(token.columns(), "form\ta form that is longer than the others\t_\t_\t_\t_\t_\t_\tform");
}

TEST(Token, RefusesWhatCannotBeWritten) {
  Token token;
  for (const std::string value : {"a\tb", "a\nb", "a\r", "\xC0\x80"}) {
    EXPECT_THROW(token.set_form(value), DataError);
    EXPECT_EQ(token.form(), "_");
  }
  EXPECT_THROW(token.set_form(std::string("a\0b", 3)), DataError);
  EXPECT_THROW(token.set_head(-2), DataError);
}

TEST(Token, TakesNineColumnsOrNone) {
  Token token;
  EXPECT_TRUE(token.assign_columns("1\t2\t3\t4\t5\t6\t7\t8\t9"));
  EXPECT_EQ(token.head(), 6);
  EXPECT_EQ(token.deps(), "8");
  EXPECT_FALSE(token.assign_columns("1\t2\t3\t4\t5\t6\t7\t8"));
  EXPECT_FALSE(token.assign_columns("1\t2\t3\t4\t5\t6\t7\t8\t9\t10"));
  EXPECT_FALSE(token.assign_columns("1\t2\t3\t\t5\t6\t7\t8\t9"));
  EXPECT_FALSE(token.assign_columns("1\t2\t3\t4\t5\t6\t7\t8\t"));
  EXPECT_FALSE(token.assign_columns("1\t2\t3\t4\t5\tx\t7\t8\t9"));
  EXPECT_FALSE(token.assign_columns(""));
}

TEST(Sentence, HoldsWhatTheFileSays) {
  const std::vector<Sentence> sentences = read_text(kConlluSample);
  ASSERT_EQ(sentences.size(), 2U);
  const Sentence& sentence = sentences[0];
  EXPECT_EQ(sentence.size(), 6);
  EXPECT_EQ(sentence[0], Token());
  EXPECT_EQ(sentence[2].form(), "nos");
  EXPECT_EQ(sentence[2].lemma(), "nosotros");
  EXPECT_EQ(sentence[2].upos(), "PRON");
  EXPECT_EQ(sentence[2].xpos(), "P");
  EXPECT_EQ(sentence[2].feats(), "Case=Acc");
  EXPECT_EQ(sentence[2].deprel(), "obj");
  EXPECT_EQ(sentence[2].deps(), "1:obj|3.1:nsubj");
  EXPECT_EQ(sentence[5].misc(), "SpaceAfter=No");
  EXPECT_EQ(sentence.heads(), (std::vector<int>{kNoHead, 0, 1, 5, 5, 1, kNoHead}));
  EXPECT_EQ(sentence.words().size(), 6U);
  ASSERT_EQ(sentence.multiwords().size(), 2U);
  EXPECT_EQ(sentence.multiwords()[1].first(), 3);
  EXPECT_EQ(sentence.multiwords()[1].last(), 4);
  EXPECT_EQ(sentence.multiwords()[0].form(), "Vámonos");
  ASSERT_EQ(sentence.empty_nodes().size(), 2U);
  EXPECT_EQ(sentence.empty_nodes()[1].word(), 3);
  EXPECT_EQ(sentence.empty_nodes()[1].index(), 2);
  EXPECT_EQ(sentence.empty_nodes()[0].misc(), "CopyOf=1");
  EXPECT_EQ(sentence.sent_id(), "a-1");
  EXPECT_EQ(sentence.text(), "Vámonos al mar, que no");
  EXPECT_EQ(sentences[1].empty_nodes()[0].word(), 0);
}

TEST(Sentence, CopiesAreIndependent) {
  Sentence original = read_text(kConlluSample)[0];
  Sentence copy = original;
  EXPECT_EQ(copy, original);
  copy[1].set_head(5);
  copy[1].set_deprel("a relation longer than before");
  EXPECT_NE(copy, original);
  EXPECT_EQ(original[1].deprel(), "root");
  const Sentence moved = std::move(copy);
  EXPECT_EQ(moved[1].deprel(), "a relation longer than before");
  EXPECT_EQ(moved[1].misc(), "_");
}

TEST(Sentence, CanBeBuiltAndWritten) {
  Sentence sentence;
  sentence.set_comment("sent_id", "1");
  sentence.add_word("du").set_deprel("case");
  sentence.add_word("le");
  sentence.add_word("pain");
  sentence.add_multiword(1, 2).set_form("du");
  sentence.add_empty_node(3).set_form("mange");
  sentence.add_empty_node(3);
  sentence.set_heads(std::vector<int>{kNoHead, 3, kNoHead, 0});
  EXPECT_EQ(write_text({sentence}),
            "# sent_id = 1\n"
            "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "1\tdu\t_\t_\t_\t_\t3\tcase\t_\t_\n"
            "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3\tpain\t_\t_\t_\t_\t0\t_\t_\t_\n"
            "3.1\tmange\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3.2\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  EXPECT_THROW(sentence.set_heads(std::vector<int>{0, 0}), DataError);
  EXPECT_THROW(sentence.add_multiword(2, 3), DataError) << "overlaps";
  EXPECT_THROW(sentence.add_multiword(4, 4), DataError) << "one word only";
  EXPECT_THROW(sentence.add_empty_node(2), DataError) << "before the last one";
  sentence.clear();
  EXPECT_EQ(sentence, Sentence());
}

TEST(Sentence, CommentsAreFoundReplacedAndRemovedByKey) {
  Sentence sentence;
  sentence.add_comment("#   text=a = b");
  sentence.add_comment("# text_en = c");
  sentence.add_comment("#");
  sentence.add_comment("# newpar");
  EXPECT_EQ(sentence.comment("text"), "a = b");
  EXPECT_EQ(sentence.comment("text_en"), "c");
  EXPECT_EQ(sentence.comment("newpar"), std::nullopt);
  EXPECT_EQ(sentence.comment("tex"), std::nullopt);
  sentence.set_comment("text", "new");
  sentence.set_comment("sent_id", "7");
  EXPECT_EQ(sentence.comments()[0], "# text = new");
  EXPECT_EQ(sentence.comments()[4], "# sent_id = 7");
  sentence.remove_comment("text_en");
  EXPECT_EQ(sentence.comments().size(), 4U);
  EXPECT_THROW(sentence.add_comment("text"), DataError);
  EXPECT_THROW(sentence.add_comment("# a\nb"), DataError);
  EXPECT_THROW(sentence.set_comment("text", "a\r"), DataError);
}

}  // namespace
}  // namespace copse
