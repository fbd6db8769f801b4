// What `copse parse` does about input that is not as it should be: known heads that no tree has, words
// without tags, what an earlier parse has left, sentences that cannot be read.
#include "app/toy_program.h"
#include "treebank/conll_helpers.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

class ParseInput : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    ASSERT_EQ(run("train --train train --iterations 4 --model model --factorization sibling").status, 0);
  }
  Outcome parse(const std::string& input, const std::string& options) const {
    return run("parse --model model " + options, input);
  }
};

std::string three_words(const std::string& heads, const std::string& id) {
  std::string text = "# sent_id = " + id + "\n";
  const std::vector<std::string> rows = {"the\t_\tDET\tDT", "dog\t_\tNOUN\tNN", "sees\t_\tVERB\tVBZ"};
  for (std::size_t k = 0; k < 3; ++k) {
    text += std::to_string(k + 1) + "\t" + rows[k] + "\t_\t" + heads.substr(k, 1) + "\t_\t_\t_\n";
  }
  return text + "\n";
}

TEST_F(ParseInput, ConflictsAreNamedAndCostNoOtherSentence) {
  const std::string cycle = three_words("21_", "cycle");
  const std::string input = three_words("2__", "before") + cycle + three_words("__0", "after");
  const Outcome error = parse(input, "--constraints");
  EXPECT_EQ(error.status, 1);
  EXPECT_NE(error.errors.find("<stdin>:6: sentence 2 (cycle): no tree"), std::string::npos) << error.errors;
  const Outcome skip = parse(input, "--constraints --conflict skip");
  EXPECT_EQ(skip.status, 0);
  EXPECT_EQ(skip.output, error.output);
  EXPECT_NE(skip.output.find(cycle), std::string::npos);
  ConllReadOptions any_heads;
  any_heads.validate_trees = false;
  const std::vector<Sentence> sentences = read_text(skip.output, any_heads);
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_TRUE(is_tree(sentences[0].heads()));
  EXPECT_EQ(sentences[0][1].head(), 2);
  EXPECT_TRUE(is_tree(sentences[2].heads()));
  const Outcome drop = parse(input, "--constraints --conflict drop");
  EXPECT_EQ(drop.status, 0);
  EXPECT_NE(drop.errors.find("sentence 2 (cycle): 1 known head did not go"), std::string::npos)
      << drop.errors;
  EXPECT_TRUE(is_tree(read_text(drop.output)[1].heads()));
  EXPECT_EQ(parse(input, "--conflict sometimes").status, 2);
}

TEST_F(ParseInput, LabelsWithoutHeadsAreKept) {
  std::string input = three_words("___", "x");
  input.replace(input.find("DT\t_\t_\t_"), 8, "DT\t_\t_\tmine");
  const std::vector<Sentence> sentences = read_text(parse(input, "--constraints").output);
  EXPECT_EQ(sentences.at(0)[1].deprel(), "mine");
}

TEST_F(ParseInput, WordsWithoutTagsAreReported) {
  const Outcome outcome = parse("the dog sees\nthe dog sees the cat\n", "--input-format tokens");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("3 words have no tag"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("8 words in 2 sentences had no tags"), std::string::npos) << outcome.errors;
  EXPECT_EQ(parse(three_words("___", "x"), "").errors, "");
}

TEST_F(ParseInput, ModelsOfTreesWithoutTagsMissNone) {
  std::vector<Sentence> sentences = read_text(toy_treebank(40, 1));
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) {
      word.set_upos("_");
      word.set_xpos("_");
    }
  }
  write_file("untagged", write_text(sentences));
  ASSERT_EQ(run("train --train untagged --iterations 3 --model bare --factorization first").status, 0);
  const Outcome outcome = run("parse --model bare --input-format tokens", "the dog sees\n");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(ParseInput, NothingOfAnEarlierParseStays) {
  const std::string input = three_words("___", "x");
  const std::string plain = parse(input, "").output;
  const std::string rich = parse(input, "--probabilities --min-confidence 1 --doubtful mark").output;
  EXPECT_NE(rich.find("Doubtful=Yes"), std::string::npos);
  EXPECT_EQ(parse(rich, "").output, plain);
  std::string with_deps = input;
  with_deps.replace(with_deps.find("_\t_\t_\n"), 6, "_\t9:x\tP=0.1\n");
  EXPECT_EQ(parse(with_deps, "").output, plain);
}

TEST_F(ParseInput, WhatCameBeforeABadSentenceIsWritten) {
  std::string input = toy_treebank(1500, 3);
  input += "1\tthe\t_\tDET\tDT\t_\tnine\t_\t_\t_\n\n";
  input += toy_treebank(3, 4);
  for (const std::string threads : {"1", "2"}) {
    const Outcome outcome = parse(input, "--threads " + threads);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(read_text(outcome.output).size(), 1500U);
  }
}

}  // namespace
}  // namespace copse::testing
