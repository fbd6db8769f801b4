#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/toy_program.h"
#include "treebank/conll_helpers.h"
#include "treebank/head_probability.h"

namespace copse::testing {
namespace {

class PipelineCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    const Outcome outcome =
        run("train --train train --dev dev --iterations 10 --model model --factorization sibling --tags "
            "predicted "
            "--folds 2");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    report_ = outcome.output;
  }
  std::string parsed(const std::string& input, const std::string& options = "") const {
    const Outcome outcome = run("parse --model model " + options, input);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    return outcome.output;
  }

  std::string report_;
};

TEST_F(PipelineCommand, OneCommandLearnsTagsTreesAndLabels) {
  EXPECT_NE(report_.find("LAS"), std::string::npos) << report_;
  EXPECT_NE(report_.find("tags predicted"), std::string::npos) << report_;
  const auto info = nlohmann::json::parse(run("info model --json").output);
  EXPECT_EQ(info["tagger"]["attributes"], nlohmann::json({"upos", "xpos"}));
  EXPECT_EQ(info["labels"].size(), 9U);
  EXPECT_EQ(info["facts"]["tags"], "predicted, 2 folds");
}

TEST_F(PipelineCommand, LinesOfWordsBecomeLabelledTrees) {
  EXPECT_EQ(parsed("the dog sees the tree .\n", "--input-format tokens"),
            "# text = the dog sees the tree .\n"
            "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n"
            "2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
            "3\tsees\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
            "4\tthe\t_\tDET\tDT\t_\t5\tdet\t_\t_\n"
            "5\ttree\t_\tNOUN\tNN\t_\t3\tobj\t_\t_\n"
            "6\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n");
}

TEST_F(PipelineCommand, ConstraintsAreKept) {
  const std::string rows = parsed("the dog sees the tree .\n", "--input-format tokens");
  std::vector<Sentence> sentences = read_text(rows);
  for (Token& word : sentences[0].words()) {
    word.set_head(kNoHead);
    word.set_deprel("_");
  }
  sentences[0][4].set_head(3);
  sentences[0][4].set_deprel("odd");
  const std::vector<Sentence> trees =
      read_text(parsed(write_text(sentences), "--constraints --probabilities"));
  EXPECT_EQ(trees[0][4].head(), 3);
  EXPECT_EQ(trees[0][4].deprel(), "odd");
  EXPECT_EQ(trees[0][2].deprel(), "nsubj");
  EXPECT_NEAR(*head_probability(trees[0][4]), 1.0, 1e-3);
  sentences[0][3].set_head(4);
  const Outcome impossible = run("parse --model model --constraints", write_text(sentences));
  EXPECT_EQ(impossible.status, 1);
  EXPECT_NE(impossible.errors.find("sentence 1: "), std::string::npos) << impossible.errors;
}

TEST_F(PipelineCommand, DoubtsAreLeftOpen) {
  ASSERT_EQ(run("train --train train --iterations 3 --model unsure --factorization first --tags predicted "
                "--folds 2")
                .status,
            0);
  const std::string options = "parse --model unsure --input-format tokens ";
  const Outcome everything = run(options + "--min-confidence 1", "the dog sees\n");
  ASSERT_EQ(everything.status, 0) << everything.errors;
  const Sentence open = read_text(everything.output).at(0);
  for (const Token& word : open.words()) EXPECT_EQ(word.head(), kNoHead);
  const Outcome nothing = run(options + "--min-confidence 0 --doubtful mark", "the dog sees\n");
  EXPECT_EQ(nothing.output.find("Doubtful"), std::string::npos);
}

TEST_F(PipelineCommand, PackingKeepsTheOtherComponents) {
  ASSERT_EQ(run("pack model --output small --weights 500").status, 0);
  const auto info = nlohmann::json::parse(run("info small --json").output);
  EXPECT_EQ(info["tagger"]["attributes"].size(), 2U);
  EXPECT_EQ(info["labels"].size(), 9U);
  EXPECT_LE(info["weights"], 500);
}

TEST_F(PipelineCommand, TheResultDoesNotDependOnTheThreads) {
  ASSERT_EQ(run("train --train train --dev dev --iterations 10 --model other --factorization sibling --tags "
                "predicted "
                "--folds 2 --threads 3")
                .status,
            0);
  EXPECT_TRUE(read_file("model") == read_file("other"));
}

// A first-order parser of projective trees cannot give crossing arcs; labels can tell where they were.
TEST_F(PipelineCommand, CrossingArcsAreRestored) {
  std::string crossing;
  for (int k = 0; k < 30; ++k) {
    crossing +=
        "1\ta\t_\tA\tA\t_\t0\troot\t_\t_\n2\tb\t_\tB\tB\t_\t1\tbee\t_\t_\n3\tc\t_\tC\tC\t_\t1\tcee\t_\t_\n"
        "4\td\t_\tD\tD\t_\t2\tdee\t_\t_\n\n";
  }
  write_file("crossing", crossing);
  for (const std::string labels : {"two-stage", "joint"}) {
    SCOPED_TRACE(labels);
    const std::string common = "train --train crossing --factorization first --labels " + labels;
    ASSERT_EQ(run(common + " --model plain").status, 0);
    EXPECT_NE(run("parse --model plain --input crossing").output, crossing);
    const Outcome outcome = run(common + " --model pseudo --nonprojective pseudo");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.errors.find("30 arcs lifted in 30 trees"), std::string::npos) << outcome.errors;
    EXPECT_EQ(run("parse --model pseudo --input crossing").output, crossing);
    EXPECT_EQ(nlohmann::json::parse(run("info pseudo --json").output)["pseudo_projective"], true);
  }
  EXPECT_EQ(run("train --train crossing --model no --labels none --nonprojective pseudo").status, 2);
}

// Of a model that scores trees and labels together; others say that they do not.
TEST_F(PipelineCommand, LabelledTreesAreRanked) {
  ASSERT_EQ(
      run("train --train train --model joint --labels joint --iterations 5 --factorization sibling").status,
      0);
  const std::string input =
      "1\tthe\t_\tDET\tDT\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n"
      "3\tsees\t_\tVERB\tVBZ\t_\t_\t_\t_\t_\n\n";
  const std::string command = "parse --model joint --prune off --kbest 1000 --kbest-labels --constraints";
  const Outcome outcome = run(command, input);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  double sum = 0.0;
  double last = 1.0;
  std::set<std::string> different;
  std::set<std::vector<int>> trees;
  for (const Sentence& tree : read_text(outcome.output)) {
    std::string text;
    for (const Token& word : tree.words()) {
      text += std::to_string(word.head()) + " " + std::string(word.deprel()) + " ";
    }
    different.insert(text);
    trees.insert(tree.heads());
    const double probability = std::stod(std::string(*tree.comment("tree_probability")));
    EXPECT_LE(probability, last);
    last = probability;
    sum += probability;
  }
  EXPECT_NEAR(sum, 1.0, 1e-3);
  EXPECT_GT(different.size(), trees.size());
  EXPECT_EQ(different.size(), read_text(outcome.output).size());
  // Given one label, all have it.
  std::string given = input;
  given.replace(given.find("NN\t_\t_\t_"), 8, "NN\t_\t_\tobj");
  const std::vector<Sentence> with_object = read_text(run(command, given).output);
  EXPECT_FALSE(with_object.empty());
  EXPECT_LT(with_object.size(), different.size());
  for (const Sentence& tree : with_object) EXPECT_EQ(tree[2].deprel(), "obj");

  expect_one_line_error(run("parse --model model --kbest 2 --kbest-labels", input), 1,
                        "model: the model labels trees when they are found");
  expect_one_line_error(run("parse --model joint --kbest-labels", input), 2,
                        "--kbest-labels: says what the trees of --kbest are");
  expect_one_line_error(run("parse --model joint --kbest 2 --kbest-labels --no-labels", input), 2,
                        "--kbest-labels: is about labels; leave out --no-labels");
  // A label that no tree has stays; somebody says so.
  std::string impossible = input;
  impossible.replace(impossible.find("DT\t_\t_\t_"), 8, "DT\t_\t_\troot");
  impossible.replace(impossible.find("VBZ\t_\t_\t_"), 9, "VBZ\t_\t0\troot");
  const Outcome ignored = run("parse --model joint --constraints", impossible);
  EXPECT_EQ(ignored.status, 0);
  EXPECT_NE(ignored.errors.find("1 known label stays, and says nothing about the rest"), std::string::npos)
      << ignored.errors;
}

TEST_F(PipelineCommand, UsageErrors) {
  EXPECT_EQ(run("parse --model model --min-confidence 2").status, 2);
  EXPECT_EQ(run("parse --model model --tag sometimes").status, 2);
  ASSERT_EQ(run("train --train train --iterations 2 --model bare --labels none --factorization first").status,
            0);
  EXPECT_EQ(run("parse --model bare --tag always", "x\n").status, 1);
  EXPECT_EQ(run_shell("COPSE_MODEL=absent \"$COPSE_BINARY\" parse < train").status, 1);
}

}  // namespace
}  // namespace copse::testing
