// What `copse parse` and its like take a file for: the name decides where it says something.
#include "app/toy_program.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

class InputFormat : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    ASSERT_EQ(run("train --train train --iterations 2 --model model --factorization first --pipeline").status,
              0);
  }
  Outcome parse(const std::string& name, const std::string& content, const std::string& options = "") const {
    write_file(name, content);
    return run("parse --model model " + name + " " + options);
  }
};

const std::string kSpaces = "1 the _ DET DT _ 2 det _ _\n2 dog _ NOUN NN _ 0 root _ _\n\n";
const std::string kRows = "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n";

TEST_F(InputFormat, ATreebankWithoutColumnsIsNoText) {
  for (const std::string command : {"parse", "tag", "select --most-uncertain 1"}) {
    write_file("spaces.conllu", kSpaces);
    const Outcome outcome = run(command + " --model model spaces.conllu");
    expect_one_line_error(
        outcome, 1, "spaces.conllu: the name says conllu, but '1 the _ DET DT _ 2 det _ _' has no columns");
    EXPECT_NE(outcome.errors.find("--input-format text"), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
  expect_one_line_error(parse("spaces.conll", kSpaces), 1,
                        "spaces.conll: the name says that this is a treebank, but ");
  EXPECT_EQ(read_text(parse("spaces.conllu", "the dog sees\n", "--input-format text").output).size(), 1U);
}

TEST_F(InputFormat, CommentsAloneAreNoText) {
  expect_one_line_error(parse("comments.conllu", "# one\n# two\n"), 1,
                        "comments.conllu:1: the sentence has no words");
  EXPECT_EQ(parse("empty.conllu", "\n\n").status, 0);
}

TEST_F(InputFormat, TextMayHaveTabs) {
  const Outcome outcome = parse("table.txt", "the\tdog\t3\n");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(read_text(outcome.output).at(0).size(), 3);
  // A pipe has no name.
  const Outcome guessed = run("parse --model model", "the\tdog\t3\n");
  expect_one_line_error(guessed, 1, "<stdin>:1: the head of word 1 is 3");
  EXPECT_NE(guessed.errors.find("if this is text, say --input-format text"), std::string::npos)
      << guessed.errors;
}

TEST_F(InputFormat, ATreebankIsNotCalledText) {
  expect_one_line_error(parse("rows.txt", kRows), 1, "rows.txt: the name says text, but ");
  EXPECT_EQ(read_text(parse("rows.txt", kRows, "--input-format conllu").output).size(), 1U);
  EXPECT_EQ(read_text(parse("rows", kRows).output).size(), 1U);
}

TEST_F(InputFormat, NamesTellFormatsApart) {
  // Nothing in these rows shows that they are not CoNLL-X.
  const std::string rows = "1\tdog\t_\tN\tN\t_\t0\troot\t_\t_\n\n";
  const Outcome conllu = parse("one.conllu", rows, "--probabilities");
  EXPECT_NE(conllu.output.find("P="), std::string::npos) << conllu.output;
  EXPECT_EQ(parse("one.dp", rows).status, 1);
}

TEST_F(InputFormat, FilesOfAFolderToo) {
  ASSERT_EQ(run_shell("mkdir in").status, 0);
  write_file("in/table.txt", "the\tdog\t3\n");
  write_file("in/rows.conllu", kRows);
  const Outcome outcome = run("parse --model model --input in --output out/");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(read_text(read_file("out/table.conllu")).at(0).size(), 3);
  write_file("in/spaces.conllu", kSpaces);
  expect_one_line_error(run("parse --model model --input in --output again/"), 1,
                        "in/spaces.conllu: the name says conllu");
}

// Their words would be IDs, tags and heads.
TEST_F(InputFormat, VectorsAndEncodersAreNotLearntFromColumns) {
  write_file("rows.conllu", toy_treebank(50, 1));
  for (const std::string command :
       {"vectors --tokens spaces", "vectors --model model", "pretrain --tokens spaces"}) {
    const Outcome outcome = run(command + " --text rows.conllu --output out");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_NE(outcome.errors.find(
                  "copse: rows.conllu: looks like a treebank, whose columns would be taken for words"),
              std::string::npos)
        << outcome.errors;
  }
  EXPECT_FALSE(exists("out"));
}

}  // namespace
}  // namespace copse::testing
