// The model in the box.
#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "treebank/conll_helpers.h"
#include "treebank/head_probability.h"

namespace copse::testing {
namespace {

class DefaultModel : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (run("parse", "").status != 0) GTEST_SKIP() << "there is no model beside the program";
  }
};

TEST_F(DefaultModel, TextBecomesLabelledTrees) {
  const Outcome outcome = run("parse --probabilities", "The dog didn't see the cat. It slept.\n");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::vector<Sentence> sentences = read_text(outcome.output);
  ASSERT_EQ(sentences.size(), 2U);
  const Sentence& first = sentences[0];
  EXPECT_EQ(first.comment("text"), "The dog didn't see the cat.");
  ASSERT_EQ(first.size(), 8);
  EXPECT_EQ(first[3].form(), "did");
  EXPECT_EQ(first[4].form(), "n't");
  EXPECT_NE(outcome.output.find("\n3-4\tdidn't\t"), std::string::npos);
  EXPECT_EQ(first.heads(), std::vector<int>({first[0].head(), 2, 5, 5, 5, 0, 7, 5, 5}));
  EXPECT_EQ(first[2].deprel(), "nsubj");
  EXPECT_EQ(first[7].deprel(), "obj");
  EXPECT_EQ(first[5].lemma(), "see");
  for (const Sentence& sentence : sentences) {
    int roots = 0;
    for (const Token& word : sentence.words()) {
      roots += word.head() == 0 ? 1 : 0;
      EXPECT_GT(head_probability(word).value_or(0.0), 0.5) << word.form();
    }
    EXPECT_EQ(roots, 1);
  }
}

TEST_F(DefaultModel, IsSmallAndComplete) {
  const auto info = nlohmann::json::parse(
      run_shell("\"$COPSE_BINARY\" info \"$COPSE_MODELS/english-ewt.copse\" --json").output);
  EXPECT_LE(info["bytes"], 16'000'000);
  EXPECT_EQ(info["root"], "single");
  EXPECT_EQ(info["segmenter"], true);
  EXPECT_EQ(info["tagger"]["attributes"].size(), 4U);
  EXPECT_GT(info["labels"].size(), 40U);
}

TEST_F(DefaultModel, StrangeTextIsNoProblem) {
  for (const std::string& text :
       {std::string("\n\n"), std::string("."), std::string("a"), std::string("\xE2\x80\x8B\n"),
        std::string(3000, 'x'), std::string("?!?!?!"), std::string("1 2 3\t4"),
        std::string("日本語のテキスト。")}) {
    const Outcome outcome = run("parse --input-format text", text);
    EXPECT_EQ(outcome.status, 0) << text << outcome.errors;
  }
  EXPECT_EQ(run("parse --input-format text", "\xFF\xFE").status, 1);
}

TEST_F(DefaultModel, TextIsKnownFromATreebank) {
  const auto words = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return std::count(outcome.output.begin(), outcome.output.end(), '\t') / 9;
  };
  EXPECT_EQ(words(run("parse", "   \nHe sleeps .\n")), 3);
  EXPECT_EQ(words(run("parse", "\tHe sleeps .\n")), 3);
  EXPECT_EQ(words(run("parse", "He\tsleeps .\n")), 3);
  EXPECT_EQ(words(run("parse", " \t\n  \n")), 0);
  EXPECT_EQ(words(run("parse", "# text = He sleeps\n1\tHe\t_\t_\t_\t_\t_\t_\t_\t_\n\n")), 1);
  // A damaged treebank is not read as text.
  expect_one_line_error(run("parse", "1\tHe\t_\t_\t_\t_\t_\t_\t_\n\n"), 1, "<stdin>:1: 9 columns found");
}

}  // namespace
}  // namespace copse::testing
