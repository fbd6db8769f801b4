// No command writes over what it reads: every one refuses, and the file stays as it was.
#include "app/toy_program.h"

namespace copse::testing {
namespace {

class OutputIsInput : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    write_file("trees.conllu", toy_treebank(5, 1));
    write_file("text.txt", "the dog sees the cat\n");
    ASSERT_EQ(run_shell("ln -s trees.conllu link.conllu; ln text.txt other.txt").status, 0);
    ASSERT_EQ(run("train --train train --iterations 2 --model model --factorization first --pipeline").status,
              0);
  }

  void expect_refusal(const std::string& command, const std::string& option, const std::string& file) const {
    SCOPED_TRACE(command);
    const std::string before = read_file(file);
    const Outcome outcome = run(command);
    expect_one_line_error(outcome, 2, option + ": ");
    EXPECT_NE(outcome.errors.find("would be overwritten, and is read, too"), std::string::npos)
        << outcome.errors;
    EXPECT_EQ(read_file(file), before);
  }
};

TEST_F(OutputIsInput, EveryCommandRefuses) {
  const std::string trees = " trees.conllu --output trees.conllu";
  for (const std::string command : {"parse --model model", "tag --model model", "show --format conllu",
                                    "select --model model --most-uncertain 2", "convert", "projectivize"}) {
    expect_refusal(command + trees, "--output", "trees.conllu");
  }
  expect_refusal("segment --model model text.txt --output text.txt", "--output", "text.txt");
  expect_refusal("pack model --output model", "--output", "model");
}

TEST_F(OutputIsInput, ModelsAndRulesAreInputs) {
  for (const std::string command : {"parse", "tag", "select --most-uncertain 2"}) {
    expect_refusal(command + " trees.conllu --model model --output model", "--output", "model");
  }
  expect_refusal("segment text.txt --model model --output model", "--output", "model");
  ASSERT_EQ(run("convert --print-rules english > rules").status, 0);
  expect_refusal("convert trees.conllu --head-rules rules --output rules", "--output", "rules");
}

TEST_F(OutputIsInput, UnderAnyOtherName) {
  expect_refusal("show --format conllu trees.conllu --output link.conllu", "--output", "trees.conllu");
  expect_refusal("show --format conllu link.conllu --output ./trees.conllu", "--output", "trees.conllu");
  expect_refusal("segment --model model other.txt --output text.txt", "--output", "text.txt");
  expect_refusal("show --format conllu --output trees.conllu < trees.conllu", "--output", "trees.conllu");
  expect_refusal("show --format conllu trees.conllu >> trees.conllu", "--output", "trees.conllu");
}

TEST_F(OutputIsInput, SoDoFilesOfAFolder) {
  ASSERT_EQ(run_shell("mkdir pictures && cp trees.conllu pictures/000002.conllu").status, 0);
  expect_refusal("show pictures/000002.conllu --format conllu --folder pictures", "--folder",
                 "pictures/000002.conllu");
}

TEST_F(OutputIsInput, WhatIsNoFileMayBeBoth) {
  EXPECT_EQ(run("show --format conllu < /dev/null > /dev/null").status, 0);
  EXPECT_EQ(run("show --format conllu trees.conllu --output /dev/null").status, 0);
}

}  // namespace
}  // namespace copse::testing
