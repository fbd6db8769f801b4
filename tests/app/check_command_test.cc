#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/program.h"

namespace copse::testing {
namespace {

std::string dep_row(const std::string& id, const std::string& head, const std::string& label = "dep") {
  return id + "\tw" + id + "\t_\tNOUN\tNN\t_\t" + head + "\t" + label + "\t_\t_\n";
}

const std::string kGood = "# text = w1 w2\n" + dep_row("1", "0", "root") + dep_row("2", "1") + "\n";
// A range, an empty node, and the arc 4 -> 2 over 3, which hangs from the root's word.
const std::string kRich = "1-2\tw12\t_\t_\t_\t_\t_\t_\t_\t_\n" + dep_row("1", "0", "root") +
                          dep_row("2", "4", "obj") + dep_row("3", "1") + dep_row("4", "1") +
                          "4.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" + "\n";
const std::string kTwoRoots = dep_row("1", "0") + dep_row("2", "0") + "\n";
const std::string kPartial = dep_row("1", "_") + dep_row("2", "1") + dep_row("3", "_") + "\n";

class CheckCommand : public ProgramTest {
 protected:
  nlohmann::json report(const std::string& arguments, const std::string& input = "") const {
    return nlohmann::json::parse(run("check --json " + arguments, input).output);
  }
};

TEST_F(CheckCommand, ReadsTheStandardInputByDefault) {
  const Outcome outcome = run("check", kGood);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output.substr(0, outcome.output.find('\n')), "<stdin>: conllu, 1 sentence, 2 words");
  EXPECT_EQ(run("check -", kGood).output, outcome.output);
}

TEST_F(CheckCommand, ReadsTheTreebanksOfFolders) {
  run_shell("mkdir -p bank/deep empty");
  write_file("bank/b.conllu", kGood);
  write_file("bank/deep/a.conllx", kTwoRoots);
  write_file("bank/README.md", "no treebank");
  write_file("bank/.hidden.conllu", "broken");
  write_file("bank/wsj.mrg", "(S (NN a))");
  const nlohmann::json json = report("bank");
  ASSERT_EQ(json["files"].size(), 2U);
  EXPECT_EQ(json["files"][0]["file"], "bank/b.conllu");
  EXPECT_EQ(json["files"][1]["file"], "bank/deep/a.conllx");
  EXPECT_EQ(json["total"]["sentences"], 2);
  ASSERT_EQ(report("bank --format conllx")["files"].size(), 1U);
  expect_one_line_error(run("check empty"), 1, "empty: no file in this folder has a name");
}

TEST_F(CheckCommand, FeaturesAndMiscAreChecked) {
  const auto with = [](const std::string& feats, const std::string& misc) {
    return "# a comment\n" + dep_row("1", "0", "root") + "2\tw2\t_\tNOUN\tNN\t" + feats + "\t1\tdep\t_\t" +
           misc + "\n\n";
  };
  const auto expect_defect = [&](const std::string& feats, const std::string& misc, const std::string& what) {
    SCOPED_TRACE(feats + " " + misc);
    const Outcome outcome = run("check", kGood + with(feats, misc));
    expect_one_line_error(outcome, 1, "<stdin>:7: " + what);
    EXPECT_NE(outcome.output.find("1 sentence, 2 words before the error"), std::string::npos)
        << outcome.output;
  };
  expect_defect("|=|==|a=b|a=c", "_", "FEATS has an empty entry; remove");
  expect_defect("a=b|", "_", "FEATS has an empty entry; remove");
  expect_defect("==", "_", "the feature '==' is not Name=Value; write");
  expect_defect("a=b|a=c", "_", "the feature 'a' is there twice; write several values as a=A,B");
  expect_defect("Number", "_", "the feature 'Number' is not Name=Value; write");
  expect_defect("Number=", "_", "the feature 'Number=' is not Name=Value; write");
  expect_defect("_", "P=7", "'7' is not a probability; write P=");
  expect_defect("_", "PDEPREL=x", "'x' is not a probability; write PDEPREL=");
  expect_defect("_", "a=b||c=d", "MISC has an empty entry; remove");
  expect_defect("_", "=b", "the entry '=b' of MISC has no name before the =");
  EXPECT_EQ(run("check", kGood + with("Case=Acc,Dat|Number=Sing", "SpaceAfter=No|note|P=0.5")).status, 0);
  // Ranges and empty nodes have such columns, too; CoNLL-X has others.
  EXPECT_EQ(run("check", "1-2\tw12\t_\t_\t_\tNumber\t_\t_\t_\t_\n" + kTwoRoots).status, 1);
  EXPECT_EQ(run("check --format conllx", "1\tw\t_\tN\tN\tsg|pl\t0\troot\t_\t_\n\n").status, 0);
}

TEST_F(CheckCommand, LongSentencesAreAnErrorUnlessAllowed) {
  std::string sentence;
  for (int word = 1; word <= 10'001; ++word)
    sentence += dep_row(std::to_string(word), std::to_string(word - 1));
  write_file("long", sentence + "\n");
  expect_one_line_error(
      run("check long"), 1,
      "long:10001: the sentence has more than 10000 words; put blank lines between sentences, "
      "or raise the limit (--max-words)");
  EXPECT_EQ(run("check long --max-words 10001").status, 0);
  EXPECT_EQ(run("show long --max-words 10001 --format conllu").output, sentence + "\n");
  EXPECT_EQ(run("projectivize long --max-words 10001").output, sentence + "\n");
  EXPECT_EQ(run("convert long --max-words 10001 --to conllu").output, sentence + "\n");
  EXPECT_EQ(run("eval long long --max-words 10001").status, 0);
  EXPECT_EQ(run("analyze long long --max-words 10001 --json -").status, 0);
}

TEST_F(CheckCommand, JsonCountsEverything) {
  write_file("a.conllu", kGood + kRich);
  write_file("b.conllu", kTwoRoots + kPartial);
  const nlohmann::json json = report("a.conllu b.conllu");
  ASSERT_EQ(json["files"].size(), 2U);
  EXPECT_EQ(json["files"][0]["file"], "a.conllu");
  EXPECT_EQ(json["files"][0]["format"], "conllu");
  EXPECT_TRUE(json["files"][0]["error"].is_null());
  EXPECT_EQ(json["files"][0]["statistics"]["sentences"], 2);
  const nlohmann::json& total = json["total"];
  EXPECT_EQ(total["sentences"], 4);
  EXPECT_EQ(total["words"], 11);
  EXPECT_EQ(total["multiword_tokens"], 1);
  EXPECT_EQ(total["empty_nodes"], 1);
  EXPECT_EQ(total["labels"], 3);
  EXPECT_EQ(total["coarse_tags"], 1);
  EXPECT_EQ(total["fine_tags"], 1);
  EXPECT_EQ(total["words_without_head"], 2);
  EXPECT_EQ(total["partial_sentences"], 1);
  EXPECT_EQ(total["sentences_with_several_roots"], 1);
  EXPECT_EQ(total["non_projective_sentences"], 1);
  EXPECT_EQ(total["non_projective_arcs"], 1);
  EXPECT_DOUBLE_EQ(total["non_projective_arc_share"], 1.0 / 8.0);
  EXPECT_EQ(total["longest_sentence"]["value"], 4);
  EXPECT_EQ(total["longest_sentence"]["file"], "a.conllu");
  EXPECT_EQ(total["longest_sentence"]["line"], 5);
  EXPECT_EQ(total["deepest_tree"]["value"], 3);
}

TEST_F(CheckCommand, TextHasTheSameFigures) {
  const std::string text = run("check", kRich).output;
  EXPECT_NE(text.find("multiword tokens                          1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("non-projective sentences                  1  100.00%\n"), std::string::npos) << text;
  EXPECT_NE(text.find("non-projective arcs                       1  25.00%\n"), std::string::npos) << text;
  EXPECT_NE(text.find("4  words, first at <stdin>:1\n"), std::string::npos) << text;
}

TEST_F(CheckCommand, NothingIsNoError) {
  const Outcome outcome = run("check");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "<stdin>: no sentences\n");
  const nlohmann::json json = report("");
  EXPECT_TRUE(json["files"][0]["format"].is_null());
  EXPECT_EQ(json["total"]["sentences"], 0);
  EXPECT_TRUE(json["total"]["longest_sentence"]["file"].is_null());
}

TEST_F(CheckCommand, FormatCanBeNamed) {
  EXPECT_EQ(report("", kTwoRoots)["files"][0]["format"], "conllu");
  EXPECT_EQ(report("--format conllx", kTwoRoots)["files"][0]["format"], "conllx");
  EXPECT_EQ(report("", "w\tNN\t0\n")["files"][0]["format"], "tab3");
  expect_one_line_error(run("check --format conllu", "w\tNN\t0\n"), 1, "<stdin>:1: 3 columns found");
}

TEST_F(CheckCommand, BadFilesAreNamedWithTheLine) {
  write_file("cycle.conllu", kGood + dep_row("1", "2") + dep_row("2", "1"));
  expect_one_line_error(run("check cycle.conllu"), 1, "cycle.conllu:5: the heads form a cycle: 1 'w1' -> 2");
  write_file("columns.conllu", "1\tw\t_\tX\tX\t_\t0\tdep\n");
  expect_one_line_error(run("check columns.conllu"), 1, "columns.conllu:1: 8 columns found");
  expect_one_line_error(run("check missing.conllu"), 1, "missing.conllu: cannot open: No such file");
  expect_one_line_error(run("check", "\xFF\n"), 1, "<stdin>:1: ");
}

TEST_F(CheckCommand, GoesOnAfterABadFile) {
  write_file("good.conllu", kGood);
  write_file("bad.conllu", kGood + kGood + dep_row("1", "9") + dep_row("3", "9"));
  const Outcome outcome = run("check bad.conllu missing good.conllu");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 2) << outcome.errors;
  EXPECT_NE(outcome.output.find("bad.conllu: conllu, 2 sentences, 4 words before the error\n"),
            std::string::npos);
  EXPECT_NE(outcome.output.find("missing: no sentences before the error\n"), std::string::npos);
  EXPECT_NE(outcome.output.find("good.conllu: conllu, 1 sentence, 2 words\n"), std::string::npos);
  const nlohmann::json json = report("bad.conllu missing good.conllu");
  EXPECT_NE(json["files"][0]["error"].get<std::string>().find("bad.conllu:10: "), std::string::npos);
  EXPECT_EQ(json["total"]["sentences"], 3);
}

TEST_F(CheckCommand, NamesThatAreNotTextDoNotBreakTheReport) {
  write_file("a\xFF\x1B\n.conllu", kGood + "?\n");
  EXPECT_EQ(report("./*.conllu")["total"]["sentences"], 1);
  const Outcome outcome = run("check ./*.conllu");
  EXPECT_EQ((outcome.output + outcome.errors).find('\x1B'), std::string::npos);
  expect_one_line_error(outcome, 1, "./a");
}

}  // namespace
}  // namespace copse::testing
