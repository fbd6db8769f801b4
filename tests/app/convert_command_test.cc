#include <filesystem>

#include "app/program.h"

namespace copse::testing {
namespace {

const std::string kTree = "( (S (NP-SBJ (PRP We)) (VP (VBP sing) (NP (-NONE- *T*))) (. .)))\n";

std::string table_row(const std::string& id, const std::string& form, const std::string& tags,
                      const std::string& head) {
  return id + "\t" + form + "\t_\t" + tags + "\t_\t" + head + "\t_\t_\n";
}

const std::string kConllu = table_row("1", "We", "_\tPRP", "2\tSUB") +
                            table_row("2", "sing", "_\tVBP", "0\tROOT") +
                            table_row("3", ".", "_\t.", "2\tP") + "\n";
const std::string kConllx = table_row("1", "We", "PRP\tPRP", "2\tSUB") +
                            table_row("2", "sing", "VBP\tVBP", "0\tROOT") +
                            table_row("3", ".", ".\t.", "2\tP") + "\n";

class ConvertCommand : public ProgramTest {
 protected:
  void expect_output(const Outcome& outcome, const std::string& output) const {
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.errors, "");
    EXPECT_EQ(outcome.output, output);
  }
};

TEST_F(ConvertCommand, ReadsBracketsFromTheStandardInput) {
  expect_output(run("convert", kTree), kConllu);
  expect_output(run("convert - --from penn --to conllx", kTree), kConllx);
  expect_output(run("convert --to tab3", kTree), "We\tPRP\t2\nsing\tVBP\t0\n.\t.\t2\n\n");
}

TEST_F(ConvertCommand, TellsFormatsByNames) {
  write_file("a.mrg", kTree);
  expect_output(run("convert a.mrg --output a.conllx"), "");
  EXPECT_EQ(read_file("a.conllx"), kConllx);
  expect_output(run("convert a.conllx --output a.conllu"), "");
  EXPECT_EQ(read_file("a.conllu"), table_row("1", "We", "PRP\tPRP", "2\tSUB") +
                                       table_row("2", "sing", "VBP\tVBP", "0\tROOT") +
                                       table_row("3", ".", ".\t.", "2\tP") + "\n");
  expect_output(run("convert a.conllu --output a.dp"), "");
  EXPECT_EQ(read_file("a.dp"), "We\tPRP\t2\nsing\tVBP\t0\n.\t.\t2\n\n");
}

TEST_F(ConvertCommand, ConllConversionsRoundTrip) {
  const std::string conllx =
      table_row("1", "We", "PR\tPRP", "2\tSUB") + table_row("2", "sing", "VB\tVBP", "0\tROOT") + "\n";
  write_file("a.conllx", conllx);
  run("convert a.conllx --to conllu --output b.conllu");
  expect_output(run("convert b.conllu --to conllx"), conllx);
  const std::string rich = "# text = a b\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" +
                           table_row("1", "a", "X\tY", "0\troot") + table_row("2", "b", "X\tZ", "1\tdep") +
                           "\n";
  expect_output(run("convert --from conllu", rich), rich);
  expect_output(run("convert --from conllu --to conllx", rich),
                table_row("1", "a", "X\tY", "0\troot") + table_row("2", "b", "X\tZ", "1\tdep") + "\n");
}

TEST_F(ConvertCommand, FillsCoarseTags) {
  expect_output(run("convert --to conllx --coarse english", kTree),
                table_row("1", "We", "PRP\tPRP", "2\tSUB") + table_row("2", "sing", "VB\tVBP", "0\tROOT") +
                    table_row("3", ".", ".\t.", "2\tP") + "\n");
  // The only tag stays as the fine one.
  expect_output(run("convert --from conllu --coarse czech", table_row("1", "a", "Vx\t_", "0\troot") + "\n"),
                table_row("1", "a", "V\tVx", "0\troot") + "\n");
  expect_output(run("convert --coarse treebank", kTree), kConllu);
}

TEST_F(ConvertCommand, ReadsFoldersInOrder) {
  ASSERT_EQ(run_shell("mkdir -p f/b f/a && echo '(NN c)' > f/c.mrg && echo '(NN a)' > f/a/x.mrg && "
                      "echo '(NN b)' > f/b/y.mrg && echo '(NN d)' > f/d.nw && echo junk > f/.hidden")
                .status,
            0);
  expect_output(run("convert f --to tab3"), "a\tNN\t0\n\nb\tNN\t0\n\nc\tNN\t0\n\n");
  expect_output(run("convert f --to tab3 --from penn"), "a\tNN\t0\n\nb\tNN\t0\n\nc\tNN\t0\n\nd\tNN\t0\n\n");
  expect_output(run("convert f/b f/a/x.mrg --to tab3"), "b\tNN\t0\n\na\tNN\t0\n\n");
  ASSERT_EQ(run_shell("mkdir empty").status, 0);
  expect_one_line_error(run("convert empty"), 1, "empty: no file in this folder");
}

TEST_F(ConvertCommand, TakesRulesFromAFile) {
  write_file("rules", "NP l NN\n%root TOP\n%label X\n");
  expect_output(run("convert --head-rules rules --to tab3", "(NP (NN a) (NN b))"), "a\tNN\t0\nb\tNN\t1\n\n");
  expect_output(run("convert --head-rules english --to tab3", "(NP (NN a) (NN b))"),
                "a\tNN\t2\nb\tNN\t0\n\n");
  write_file("rules", "NP l NN\nNP");
  expect_one_line_error(run("convert --head-rules rules", kTree), 1, "rules:2: the rule is empty");
  expect_one_line_error(run("convert --head-rules nowhere", kTree), 1, "nowhere: ");
}

TEST_F(ConvertCommand, PrintedRulesAreThoseThatAreBuiltIn) {
  for (const std::string name : {"english", "chinese"}) {
    ASSERT_EQ(run_shell("\"$COPSE_BINARY\" convert --print-rules " + name + " > printed").status, 0);
    EXPECT_EQ(run("convert --head-rules printed", kTree).output,
              run("convert --head-rules " + name, kTree).output);
  }
}

TEST_F(ConvertCommand, AnErrorLeavesNothingBehind) {
  write_file("good.mrg", kTree);
  write_file("bad.mrg", kTree + "(S (NN a)\n");
  const Outcome outcome = run("convert good.mrg bad.mrg");
  expect_one_line_error(outcome, 1, "bad.mrg:2: the tree that begins here is not closed");
  EXPECT_EQ(outcome.output, "");
  write_file("out.conllu", "old");
  expect_one_line_error(run("convert good.mrg bad.mrg --output out.conllu"), 1, "bad.mrg:2: ");
  EXPECT_EQ(read_file("out.conllu"), "old");
  EXPECT_EQ(run_shell("ls").output, "bad.mrg\ngood.mrg\nout.conllu\nstderr\nstdin\nstdout\n");
  expect_one_line_error(run("convert nowhere.mrg"), 1, "nowhere.mrg: ");
}

TEST_F(ConvertCommand, TreesWithoutWordsAreLeftOutAndCounted) {
  const Outcome outcome = run("convert --to tab3", "(S (-NONE- *))\n(NN a)\n(NP (-NONE- *))");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "a\tNN\t0\n\n");
  EXPECT_EQ(outcome.errors, "copse: 2 trees without words left out\n");
}

TEST_F(ConvertCommand, RefusesWrongUsage) {
  expect_one_line_error(run("convert --to penn"), 2, "--to must be ");
  expect_one_line_error(run("convert --from html"), 2, "--from must be ");
  expect_one_line_error(run("convert --coarse french"), 2, "--coarse must be ");
  expect_one_line_error(run("convert - --head-rules -"), 2, "FILES: only one file can be the standard input");
}

}  // namespace
}  // namespace copse::testing
