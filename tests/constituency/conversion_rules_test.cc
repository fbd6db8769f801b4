#include "constituency/conversion_rules.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

// The children are constituents, or words where they begin with '*'.
int head(const ConversionRules& rules, std::string_view category, const std::vector<std::string>& children) {
  std::vector<HeadCandidate> candidates;
  for (const std::string_view child : children) {
    const bool is_word = child.starts_with('*');
    candidates.push_back({is_word ? child.substr(1) : child, is_word});
  }
  return rules.head_child(category, candidates);
}

std::string rule_error(const std::string& text) {
  return error_of([&] { ConversionRules::from_text(text, "r"); });
}

TEST(HeadRules, TheFirstGroupWithAMemberDecides) {
  const ConversionRules rules = ConversionRules::from_text("A r X Y; l Z; r W");
  EXPECT_EQ(head(rules, "A", {"X", "Y", "Z", "W"}), 1);
  EXPECT_EQ(head(rules, "A", {"Y", "X", "Z", "W"}), 1);
  EXPECT_EQ(head(rules, "A", {"W", "Z", "Z", "W"}), 1);
  EXPECT_EQ(head(rules, "A", {"W", "Q", "W", "Q"}), 2);
  EXPECT_EQ(head(rules, "A", {"Q", "R", "V"}), 2);
}

TEST(HeadRules, OtherwiseTheFirstThatIsNotPunctuation) {
  const ConversionRules rules = ConversionRules::from_text("%punctuation . ,\nA l X\nB r X\n%default r");
  EXPECT_EQ(head(rules, "A", {"*.", "Q", "*,", "R"}), 1);
  EXPECT_EQ(head(rules, "B", {"Q", "*.", "R", "*,"}), 2);
  EXPECT_EQ(head(rules, "A", {"*.", "*,"}), 0);
  EXPECT_EQ(head(rules, "B", {"*.", "*,"}), 1);
  EXPECT_EQ(head(rules, "unknown", {"Q", "R", "*."}), 1);
  // A constituent is not punctuation, whatever its label.
  EXPECT_EQ(head(rules, "A", {".", "Q"}), 0);
  // A rule that names punctuation gets it.
  EXPECT_EQ(head(ConversionRules::from_text("%punctuation :\nLST l LS; :"), "LST", {"Q", "*:"}), 1);
}

TEST(HeadRules, FilesInTheNotationOfOtherConvertersAreRead) {
  const ConversionRules rules = ConversionRules::from_text("CP\tr DEC SP;l ADVP CS;r CP IP;l\r\nUCP\tr\r\n");
  EXPECT_EQ(head(rules, "CP", {"CS", "IP", "SP", "DEC"}), 3);
  EXPECT_EQ(head(rules, "CP", {"CS", "IP", "CS"}), 0);
  EXPECT_EQ(head(rules, "CP", {"CP", "IP", "Q"}), 1);
  EXPECT_EQ(head(rules, "CP", {"Q", "R"}), 0);
  EXPECT_EQ(head(rules, "UCP", {"Q", "R"}), 1);
}

TEST(ArcLabels, TheFirstRuleThatAppliesDecides) {
  const ConversionRules rules = ConversionRules::from_text(
      "A l\n"
      "%punctuation ,\n"
      "%root TOP\n"
      "%label PUNC punctuation\n"
      "%label SUBJ parent=S modifier=NP,SBAR function=SBJ,SUBJ\n"
      "%label AUX parent=VP head=MD,VB modifier=VP\n"
      "%label OBJ parent=VP modifier=NP without=TMP,LOC\n"
      "%label MOD parent=VP\n");
  EXPECT_EQ(rules.root_label(), "TOP");
  EXPECT_EQ(rules.arc_label({"S", "VP", "NP-SBJ-1", ","}), "PUNC");
  EXPECT_EQ(rules.arc_label({"S-TPC", "VP", "NP-SBJ-1", "NN"}), "SUBJ");
  EXPECT_EQ(rules.arc_label({"S", "VP", "SBAR-NOM-SUBJ", "NN"}), "SUBJ");
  EXPECT_EQ(rules.arc_label({"S", "VP", "NP", "NN"}), "_");
  EXPECT_EQ(rules.arc_label({"S", "VP", "PP-SBJ", "NN"}), "_");
  EXPECT_EQ(rules.arc_label({"VP", "MD", "VP", "VB"}), "AUX");
  EXPECT_EQ(rules.arc_label({"VP", "VP", "VP", "VB"}), "MOD");
  EXPECT_EQ(rules.arc_label({"VP", "VB", "NP=2", "NN"}), "OBJ");
  EXPECT_EQ(rules.arc_label({"VP", "VB", "NP-TMP", "NN"}), "MOD");
  EXPECT_EQ(ConversionRules::from_text("A l").arc_label({"VP", "VB", "NP-TMP", "NN"}), "_");
  EXPECT_EQ(ConversionRules::from_text("A l").root_label(), "_");
}

TEST(RuleFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(rule_error(""), "r: no head rules; write lines such as 'NP r NN NNS; NP'");
  EXPECT_EQ(rule_error("# c\n\nNP"), "r:3: the rule is empty; write l or r, then categories");
  EXPECT_EQ(rule_error("NP NN"),
            "r:1: the direction is missing; write l (from the left) or r (from the right) before 'NN'");
  EXPECT_EQ(rule_error("NP l NN;; NX"), "r:1: an empty group between semicolons; remove one of them");
  EXPECT_EQ(rule_error("NP l NN; r; NX"),
            "r:1: a direction without categories; only the last group may be one");
  EXPECT_EQ(rule_error("NP l\nVP l\nNP r"), "r:3: a second rule for 'NP'; remove one of them");
  EXPECT_EQ(rule_error("NP l\n%colour red").substr(0, 35), "r:2: there is no setting '%colour';");
  EXPECT_EQ(rule_error("NP l\n%root").substr(0, 35), "r:2: the setting %root has no value");
  EXPECT_EQ(rule_error("NP l\n%root A B"), "r:2: %root takes one label");
  EXPECT_EQ(rule_error("NP l\n%label A mother=B").substr(0, 33), "r:2: 'mother=B' is no condition; ");
  EXPECT_EQ(rule_error("NP l\n%label A parent=").substr(0, 32), "r:2: 'parent=' is no condition; ");
  EXPECT_EQ(rule_error("NP l\n%label A parent=B,,C"),
            "r:2: an empty category in 'parent=B,,C'; remove a comma");
  EXPECT_EQ(rule_error("NP l \xFF"), "r: invalid UTF-8; convert the file to UTF-8");
}

using RuleFileOnDisk = TemporaryFolderTest;

TEST_F(RuleFileOnDisk, IsRead) {
  write(path("rules"), "NP r NN");
  EXPECT_EQ(head(ConversionRules::from_file(path("rules")), "NP", {"NN", "JJ"}), 0);
  write(path("rules"), "NP");
  EXPECT_EQ(error_of([&] { ConversionRules::from_file(path("rules")); }).substr(0, path("rules").size() + 4),
            path("rules") + ":1: ");
  EXPECT_NE(error_of([&] { ConversionRules::from_file(path("none")); }), "no error");
  write(path("rules"), std::string(2'000'000, '#'));
  EXPECT_NE(error_of([&] { ConversionRules::from_file(path("rules")); }), "no error");
}

TEST(BuiltinRules, AreRuleFiles) {
  EXPECT_EQ(ConversionRules::builtin_names(), (std::vector<std::string>{"english", "chinese"}));
  for (const std::string& name : ConversionRules::builtin_names()) {
    EXPECT_NO_THROW(ConversionRules::from_text(ConversionRules::builtin_text(name))) << name;
  }
  EXPECT_EQ(ConversionRules::builtin_text("klingon"), "");
}

}  // namespace
}  // namespace copse
