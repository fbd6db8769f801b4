#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

class CombineCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    ASSERT_EQ(run("train train --model parser --factorization first --iterations 4").status, 0);
    ASSERT_EQ(run("train train --model bare --factorization first --iterations 4 --labels none").status, 0);
    ASSERT_EQ(run("tag --train train --model tags --iterations 2").status, 0);
    ASSERT_EQ(run("segment --train train --model segments --iterations 2").status, 0);
  }
};

TEST_F(CombineCommand, ModelsSayTheirLicence) {
  ASSERT_EQ(run("combine parser --licence 'CC BY 4.0' --attribution 'the annotators' --description toys "
                "--output licensed")
                .status,
            0);
  nlohmann::json facts = nlohmann::json::parse(run("info licensed --json").output)["facts"];
  EXPECT_EQ(facts["licence"], "CC BY 4.0");
  EXPECT_EQ(facts["attribution"], "the annotators");
  EXPECT_EQ(facts["description"], "toys");
  EXPECT_FALSE(facts.contains("combined from"));
  ASSERT_EQ(run("combine licensed --licence CC0 --output free").status, 0);
  facts = nlohmann::json::parse(run("info free --json").output)["facts"];
  EXPECT_EQ(facts["licence"], "CC0");
  EXPECT_EQ(facts["attribution"], "the annotators");
}

TEST_F(CombineCommand, HelpTeaches) { expect_help("combine"); }

// What comes out of one file is what comes out of all, one after the other.
TEST_F(CombineCommand, OneFileDoesWhatTheFilesDo) {
  const Outcome outcome = run("combine parser tags segments --output all");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("tagger     tags\n"), std::string::npos) << outcome.output;
  const std::string text = run("convert dev --to text").output;
  const std::string apart = run("parse --model parser --tag never",
                                run("tag --model tags", run("segment --model segments", text).output).output)
                                .output;
  EXPECT_EQ(run("parse --model all", text).output, apart);
  EXPECT_GT(read_text(apart).size(), 1U);
  const auto info = nlohmann::json::parse(run("info all --json").output);
  EXPECT_EQ(info["segmenter"], true);
  EXPECT_TRUE(info["labels"].is_array());
  EXPECT_EQ(info["facts"]["combined from"], "parser tags segments");
  // And it has parts again.
  EXPECT_EQ(run("tag --model all", text).output,
            run("tag --model tags", run("segment --model segments", text).output).output);
}

TEST_F(CombineCommand, PartsCanBeReplaced) {
  ASSERT_EQ(run("combine parser tags segments --output all").status, 0);
  ASSERT_EQ(run("tag --train dev --model other --iterations 2 --attributes upos").status, 0);
  expect_one_line_error(run("combine all other --output new"), 1,
                        "other: has a tagger, and so has all; say --tagger FILE to choose");
  ASSERT_EQ(run("combine all --tagger other --output new").status, 0);
  const auto info = nlohmann::json::parse(run("info new --json").output);
  EXPECT_EQ(info["tagger"]["attributes"], nlohmann::json({"upos"}));
  EXPECT_EQ(info["segmenter"], true);
  // A file that is named for a part gives this one alone.
  ASSERT_EQ(run("combine bare --labeller all --output labelled").status, 0);
  const auto labelled = nlohmann::json::parse(run("info labelled --json").output);
  EXPECT_TRUE(labelled["tagger"].is_null());
  EXPECT_TRUE(labelled["labels"].is_array());
}

// Labels that say which arcs were lifted take that along.
TEST_F(CombineCommand, LiftedArcsGoWithTheirLabels) {
  ASSERT_EQ(
      run("train train --model lifted --factorization first --iterations 2 --nonprojective pseudo").status,
      0);
  ASSERT_EQ(run("combine bare --labeller lifted --output new").status, 0);
  EXPECT_EQ(nlohmann::json::parse(run("info new --json").output)["pseudo_projective"], true);
  ASSERT_EQ(run("combine lifted --labeller parser --output new").status, 0);
  EXPECT_EQ(nlohmann::json::parse(run("info new --json").output)["pseudo_projective"], false);
}

TEST_F(CombineCommand, RefusesWhatMakesNoModel) {
  expect_one_line_error(run("combine tags segments --output all"), 1, "none of the files has a parser");
  expect_one_line_error(run("combine parser --tagger segments --output all"), 1,
                        "segments: is a segmenter, which `copse segment` takes; it has no tagger");
  expect_one_line_error(run("combine parser bare --output all"), 1, "bare: has a parser, and so has parser");
  expect_one_line_error(run("combine parser tags --output tags"), 2, "--output: 'tags' would be overwritten");
  expect_one_line_error(run("combine parser missing.copse --output all"), 1, "missing.copse: cannot open");
  expect_one_line_error(run("combine parser"), 2, "--output is required");
  EXPECT_FALSE(exists("all"));
}

}  // namespace
}  // namespace copse::testing
