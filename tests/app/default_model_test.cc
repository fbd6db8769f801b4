// The model in the box.
#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "text/attribute_list.h"
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

TEST_F(DefaultModel, TagsAndSegmentsText) {
  const std::string text = "The dog didn't see the cat. It slept.\n";
  const std::vector<Sentence> parsed = read_text(run("parse", text).output);
  ConllReadOptions any_heads;
  any_heads.validate_trees = false;
  const Outcome tagged = run("tag", text);
  ASSERT_EQ(tagged.status, 0) << tagged.errors;
  const std::vector<Sentence> sentences = read_text(tagged.output, any_heads);
  ASSERT_EQ(sentences.size(), parsed.size());
  for (std::size_t k = 0; k < parsed.size(); ++k) {
    ASSERT_EQ(sentences[k].size(), parsed[k].size());
    for (int word = 1; word <= parsed[k].size(); ++word) {
      EXPECT_EQ(sentences[k][word].upos(), parsed[k][word].upos());
      EXPECT_EQ(sentences[k][word].xpos(), parsed[k][word].xpos());
      EXPECT_EQ(sentences[k][word].feats(), parsed[k][word].feats());
      EXPECT_EQ(sentences[k][word].lemma(), parsed[k][word].lemma());
      EXPECT_EQ(sentences[k][word].head(), kNoHead);
      EXPECT_EQ(sentences[k][word].deprel(), "_");
    }
  }
  const Outcome segmented = run("segment", text);
  ASSERT_EQ(segmented.status, 0) << segmented.errors;
  EXPECT_EQ(read_text(run("tag", segmented.output).output, any_heads), sentences);
  // Tags are replaced, and trees stay.
  std::string spoilt = run("parse", text).output;
  spoilt.replace(spoilt.find("NOUN"), 4, "VERB");
  EXPECT_EQ(read_text(run("tag", spoilt).output), parsed);
  expect_one_line_error(run("segment", spoilt), 1, "<stdin>: looks like a treebank");
}

TEST_F(DefaultModel, SaysHowProbableTagsAre) {
  ConllReadOptions any_heads;
  any_heads.validate_trees = false;
  const std::string text = "The dog didn't see the cat. Flies like an arrow.\n";
  const Outcome plain = run("tag", text);
  const Outcome outcome = run("tag --probabilities", text);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::vector<Sentence> sentences = read_text(outcome.output, any_heads);
  double least = 1.0;
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      for (const char* key : {"PUPOS", "PXPOS", "PFEATS", "PLEMMA"}) {
        const auto value = attribute_value(word.misc(), key);
        ASSERT_TRUE(value) << word.form() << " " << key;
        const double probability = std::stod(std::string(*value));
        EXPECT_LE(probability, 1.0);
        EXPECT_GE(probability, 0.0);
        least = std::min(least, probability);
      }
    }
    EXPECT_GT(std::stod(std::string(*attribute_value(sentence[1].misc(), "PUPOS"))), 0.3);
  }
  EXPECT_LT(least, 0.999);
  // Tagging anew takes them away, and changes nothing else.
  EXPECT_EQ(run("tag", outcome.output).output, plain.output);
}

// Sentences that are parsed in pieces take nothing away from others in their batch.
TEST_F(DefaultModel, LongSentencesDoNotDisturbOthers) {
  std::string text;
  for (int k = 0; k < 100; ++k) text += "The dog number " + std::to_string(k) + " saw the old cat .\n";
  std::string longest;
  for (int k = 0; k < 650; ++k) longest += "dog ";
  const std::string options = " --threads 1 --input-format tokens";
  for (const std::string command : {"parse", "tag"}) {
    const std::string expected = run(command + options, text).output;
    const Outcome outcome = run(command + options, longest + "\n" + text);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    ASSERT_GT(outcome.output.size(), expected.size());
    EXPECT_EQ(outcome.output.substr(outcome.output.size() - expected.size()), expected) << command;
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

TEST_F(DefaultModel, EveryCommandKnowsItsName) {
  for (const std::string command : {"info english", "parse --model english", "tag --model english",
                                    "segment --model english", "combine english --output again.copse"}) {
    EXPECT_EQ(run(command, "It slept.\n").status, 0) << command;
  }
  const Outcome packed = run("pack english --output small.copse");
  expect_one_line_error(packed, 1, "/");  // the path of the model
  EXPECT_NE(packed.errors.find("english-ewt.copse: a network is stored in 8 bits already"), std::string::npos)
      << packed.errors;
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
