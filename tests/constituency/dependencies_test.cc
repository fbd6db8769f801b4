#include "constituency/dependencies.h"

#include <gtest/gtest.h>

#include "constituency/bracket_helpers.h"

namespace copse {
namespace {

std::string english(const std::string& tree) {
  static const ConversionRules rules = ConversionRules::english();
  return arcs(tree, rules);
}

std::string chinese(const std::string& tree) {
  static const ConversionRules rules = ConversionRules::chinese();
  return arcs(tree, rules);
}

std::string surface(const std::string& tree) {
  return without_empty_elements(tree_of(tree), ConversionRules::english()).to_text();
}

TEST(EmptyElements, GoWithTheConstituentsThatHoldNothingElse) {
  EXPECT_EQ(surface("(S (NP (-NONE- *)) (VP (TO to) (VP (VB go))))"), "(S (VP (TO to) (VP (VB go))))");
  EXPECT_EQ(surface("(SBAR (WHNP (-NONE- 0)) (S (NP (NP (-NONE- *T*)) (PP (-NONE- *))) (VP (VB go))))"),
            "(SBAR (S (VP (VB go))))");
  EXPECT_EQ(surface("( (S (NP (-NONE- *)) (VP (-NONE- *?*))))"), "");
  EXPECT_EQ(surface("(VP (VB go) (NP (-NONE- *)))"), "(VP (VB go))");
  EXPECT_EQ(surface("(NN a)"), "(NN a)");
  EXPECT_TRUE(to_dependencies(tree_of("(S (-NONE- *))"), ConversionRules::english()).empty());
}

TEST(EnglishDependencies, OfAClause) {
  EXPECT_EQ(english("( (S (NP-SBJ (DT The) (JJ old) (NN dog)) (VP (MD will) (VP (VB chase) (NP (PRP us)) "
                    "(NP-TMP (NN today)) (PP-LOC (IN in) (NP (DT the) (NN park))))) (. .)))"),
            "The:3:NMOD old:3:NMOD dog:4:SUB will:0:ROOT chase:4:VC us:5:OBJ today:5:VMOD in:5:VMOD "
            "the:10:NMOD park:8:PMOD .:4:P");
}

TEST(EnglishDependencies, TagsAreKeptAsFineTags) {
  const Sentence sentence = to_dependencies(tree_of("(NP (DT a) (NN dog))"), ConversionRules::english());
  ASSERT_EQ(sentence.size(), 2);
  EXPECT_EQ(sentence[2].form(), "dog");
  EXPECT_EQ(sentence[2].xpos(), "NN");
  EXPECT_EQ(sentence[2].upos(), "_");
}

TEST(EnglishDependencies, NounPhrases) {
  EXPECT_EQ(english("(NP (NP (NNP Ann) (POS 's)) (NN dog))"), "Ann:2:NMOD 's:3:NMOD dog:0:ROOT");
  EXPECT_EQ(english("(NP (NP (DT the) (NN end)) (PP (IN of) (NP (NN May))))"),
            "the:2:NMOD end:0:ROOT of:2:NMOD May:3:PMOD");
  // Among NP children alone the last one wins, so of appositions and conjuncts it is the last.
  EXPECT_EQ(english("(NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN singer)) (, ,))"),
            "Ann:4:NMOD ,:4:P a:4:NMOD singer:0:ROOT ,:4:P");
  EXPECT_EQ(english("(NP (CD two) (JJ green))"), "two:0:ROOT green:1:NMOD");
  EXPECT_EQ(english("(NP (QP (IN about) (CD 40)) (NNS cats))"), "about:3:NMOD 40:1:AMOD cats:0:ROOT");
  EXPECT_EQ(english("(NP (DT the) (NX (NX (NN pen)) (CC and) (NX (NN ink))))"),
            "the:4:NMOD pen:4:NMOD and:4:NMOD ink:0:ROOT");
}

TEST(EnglishDependencies, Coordination) {
  EXPECT_EQ(english("(S (NP-SBJ (PRP I)) (VP (VP (VBD came)) (CC and) (VP (VBD went))))"),
            "I:2:SUB came:0:ROOT and:2:VMOD went:2:VMOD");
  EXPECT_EQ(
      english("(S (S (NP-SBJ (PRP I)) (VP (VBD came))) (CC and) (S (NP-SBJ (PRP he)) (VP (VBD left))))"),
      "I:2:SUB came:5:VMOD and:5:VMOD he:5:SUB left:0:ROOT");
  EXPECT_EQ(english("(VP (VBZ buys) (CC and) (VBZ sells) (NP (NNS pens)))"),
            "buys:0:ROOT and:1:VMOD sells:1:VMOD pens:1:OBJ");
  EXPECT_EQ(english("(UCP (JJ red) (CC and) (NN tin))"), "red:0:ROOT and:1:DEP tin:1:DEP");
  EXPECT_EQ(english("(PP (PP (IN in) (NP (NN May))) (CC or) (PP (IN by) (NP (NN June))))"),
            "in:0:ROOT May:1:PMOD or:1:PMOD by:1:PMOD June:4:PMOD");
}

TEST(EnglishDependencies, Clauses) {
  // A trace and a silent complementizer leave unary chains.
  EXPECT_EQ(english("(S (NP-SBJ (PRP I)) (VP (VBP hope) (SBAR (-NONE- 0) (S (NP-SBJ (PRP it)) (VP (VBZ "
                    "rains))))))"),
            "I:2:SUB hope:0:ROOT it:4:SUB rains:2:VMOD");
  EXPECT_EQ(english("(S (NP-SBJ-1 (PRP I)) (VP (VBP want) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB "
                    "go))))))"),
            "I:2:SUB want:0:ROOT to:4:VMOD go:2:VMOD");
  EXPECT_EQ(
      english("(NP (NP (NN man)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD left)))))"),
      "man:0:ROOT who:1:NMOD left:2:SBAR");
  EXPECT_EQ(english("(SBAR (IN if) (FRAG (RB not)))"), "if:0:ROOT not:1:DEP");
  EXPECT_EQ(
      english("(S (SBAR-NOM-SBJ (WHNP (WP What)) (S (VP (VBD came)))) (VP (VBD was) (NP-PRD (NN rain))))"),
      "What:3:VMOD came:1:SBAR was:0:ROOT rain:3:PRD");
  EXPECT_EQ(english("(SQ (VBZ does) (NP-SBJ (PRP it)) (VP (VB rain)) (. ?))"),
            "does:0:ROOT it:1:SUB rain:1:VC ?:1:P");
  EXPECT_EQ(english("(SINV (`` ``) (S-TPC (VP (VB go))) (, ,) (VP (VBD said)) (NP-SBJ (NNP Ann)))"),
            "``:4:P go:4:VMOD ,:4:P said:0:ROOT Ann:4:SUB");
}

TEST(EnglishDependencies, BracketsAndQuotesAreNotHeads) {
  EXPECT_EQ(english("(NP (NP (NNS yen)) (PRN (-LRB- -LRB-) (NP ($ $) (CD 5)) (-RRB- -RRB-)))"),
            "yen:0:ROOT -LRB-:4:P $:4:P 5:1:NMOD -RRB-:4:P");
  EXPECT_EQ(english("(FRAG (`` ``) (ADVP (RB now)) ('' ''))"), "``:2:P now:0:ROOT '':2:P");
  EXPECT_EQ(english("(PRN (: --) (, ,))"), "--:2:P ,:0:ROOT");
}

TEST(EnglishDependencies, UnaryChainsAndSingleWords) {
  EXPECT_EQ(english("(S (S (S (VP (VP (VB go))))))"), "go:0:ROOT");
  EXPECT_EQ(english("(UH no)"), "no:0:ROOT");
  EXPECT_EQ(english("( (UH no) (. .))"), "no:0:ROOT .:1:P");
  EXPECT_EQ(english("(NEW (FOO a) (BAR b))"), "a:0:ROOT b:1:DEP");
}

TEST(ChineseDependencies, OfAClause) {
  EXPECT_EQ(
      chinese(
          "( (IP (NP-SBJ (NP-PN (NR 安)) (NP (NN 老师))) (VP (ADVP (AD 也)) (PP-LOC (P 在) (NP (NN 学校))) "
          "(VP (VV 教) (AS 了) (NP-OBJ (NN 歌)))) (PU 。)))"),
      "安:2:NMOD 老师:6:SUB 也:6:VMOD 在:6:VMOD 学校:4:PMOD 教:0:ROOT 了:6:VMOD 歌:6:OBJ 。:6:P");
  EXPECT_EQ(chinese("(NP (CP (WHNP-1 (-NONE- *OP*)) (CP (IP (NP-SBJ (-NONE- *T*-1)) (VP (VV 唱))) (DEC 的))) "
                    "(NP (NN 人)))"),
            "唱:2:SBAR 的:3:NMOD 人:0:ROOT");
  EXPECT_EQ(chinese("(NP (DNP (NP (NR 安)) (DEG 的)) (QP (CD 三) (CLP (M 本))) (NP (NN 书)))"),
            "安:2:DEP 的:5:NMOD 三:4:AMOD 本:5:NMOD 书:0:ROOT");
  EXPECT_EQ(chinese("(NP (NN-SHORT 马) (PU 、) (NN 羊))"), "马:3:NMOD 、:3:P 羊:0:ROOT");
}

}  // namespace
}  // namespace copse
