#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/background_program.h"
#include "app/toy_program.h"
#include "treebank/conll_helpers.h"
#include "treebank/head_probability.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

const std::string kShort =
    "1\tthe\t_\tDET\tDT\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n"
    "3\tsees\t_\tVERB\tVBZ\t_\t_\t_\t_\t_\n\n";

class ParseCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    train("model", "--factorization sibling --labels none --root multi");
  }
  void train(const std::string& name, const std::string& options) const {
    ASSERT_EQ(run("train --train train --iterations 10 --model " + name + " " + options).status, 0);
  }
  std::string parsed(const std::string& input, const std::string& options = "") const {
    const Outcome outcome = run("parse --model model " + options, input);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.errors, "");
    return outcome.output;
  }
  std::vector<Sentence> parsed_sentences(const std::string& input, const std::string& options = "") const {
    return read_text(parsed(input, options));
  }
};

double number_in(const Sentence& sentence, const std::string& key) {
  return std::stod(std::string(sentence.comment(key).value_or("nan")));
}

TEST_F(ParseCommand, HelpTeaches) { expect_help("parse"); }

TEST_F(ParseCommand, OutputIsTheSameForAnyNumberOfThreads) {
  const std::string input = toy_treebank(700, 3);
  const std::string one = parsed(input, "--threads 1 --probabilities");
  EXPECT_TRUE(one == parsed(input, "--threads 2 --probabilities"));
  EXPECT_TRUE(one == parsed(input, "--threads 3 --probabilities"));
  const std::vector<Sentence> sentences = read_text(one);
  ASSERT_EQ(sentences.size(), 700U);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    EXPECT_EQ(sentences[k].sent_id(), "toy-" + std::to_string(k + 1));
  }
}

TEST_F(ParseCommand, KeepsEverythingButHeadAndLabel) {
  const std::string input =
      "# newdoc id = d\n# text = vámonos al mar\n"
      "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "1\tvamos\tir\tVERB\tV\tMood=Imp|Number=Plur\t0\troot\t0:root\tA=b|P=0.5\n"
      "2\tnos\tnosotros\tPRON\tP\t_\t1\tobj\t1:obj\t_\n"
      "2.1\tempty\t_\t_\t_\t_\t_\t_\t1:nsubj\t_\n"
      "3\tmar\tmar\tNOUN\tN\t_\t1\tobl\t1:obl:al\tGloss=sea\n"
      "\n\n# second\n1\tla\tel\tDET\t_\t_\t_\t_\t_\t_\n";
  const std::string output = parsed(input);
  const auto remove_heads = [](std::string text) {
    std::vector<Sentence> sentences = read_text(text);
    for (Sentence& sentence : sentences) {
      for (Token& word : sentence.words()) {
        word.set_head(0);
        word.set_deprel("_");
        word.set_deps("_");  // of another tree
        if (word.misc() == "A=b|P=0.5") word.set_misc("A=b");
      }
    }
    return write_text(sentences);
  };
  EXPECT_EQ(remove_heads(output), remove_heads(input));
  for (const Sentence& sentence : read_text(output)) {
    EXPECT_TRUE(is_tree(sentence.heads()));
    for (const Token& word : sentence.words()) EXPECT_EQ(word.deprel(), "_");
  }
  EXPECT_NE(output.find("\n\n\n# second\n"), std::string::npos);
  EXPECT_EQ(output.back(), '\n');
}

TEST_F(ParseCommand, OtherFormatsStayWhatTheyAre) {
  EXPECT_EQ(parsed("the\tDT\t_\ndog\tNN\t_\nsees\tVBZ\t_\n\n"), "the\tDT\t2\ndog\tNN\t3\nsees\tVBZ\t0\n\n");
  EXPECT_EQ(parsed("1\tthe\t_\tDT\tDT\t_\t2\tx\t4\ty\r\n2\tdog\t_\tNN\tNN\t_\t1\tx\t5\ty\r\n"),
            "1\tthe\t_\tDT\tDT\t_\t2\t_\t4\ty\r\n2\tdog\t_\tNN\tNN\t_\t0\t_\t5\ty\r\n");
}

TEST_F(ParseCommand, ProbabilitiesMakeConlluOfOtherFormats) {
  const std::string output = parsed("the\tDT\t_\ndog\tNN\t_\nsees\tVBZ\t_\n\n", "--probabilities");
  EXPECT_EQ(output.substr(0, 26), "# tree_log_probability = -");
  EXPECT_NE(output.find("\n2\tdog\t_\t_\tNN\t_\t3\t_\t_\tP="), std::string::npos) << output;
  EXPECT_NE(parsed("1\tthe\t_\tDT\tDT\t_\t0\tx\t4\ty\n", "--probabilities").find("\t0\t_\t_\tP=1.0000\n"),
            std::string::npos);
}

TEST_F(ParseCommand, HeadsOfTheInputNeedNotBeTrees) {
  EXPECT_EQ(parsed("the\tDT\t2\ndog\tNN\t1\n\n"), "the\tDT\t2\ndog\tNN\t0\n\n");
}

// Lists all trees of a short sentence and compares with what the program says about them.
TEST_F(ParseCommand, ProbabilitiesAreThoseOfTheTrees) {
  const std::vector<Sentence> trees = parsed_sentences(kShort, "--kbest 1000 --prune off");
  ASSERT_EQ(trees.size(), 12U);  // projective trees over three words, any number of roots
  std::map<std::pair<int, int>, double> arcs;
  std::set<std::vector<int>> different;
  double sum = 0.0;
  double entropy = 0.0;
  for (std::size_t k = 0; k < trees.size(); ++k) {
    EXPECT_EQ(trees[k].comment("kbest_rank"), std::to_string(k + 1));
    const double probability = number_in(trees[k], "tree_probability");
    if (k > 0) {
      EXPECT_LE(probability, number_in(trees[k - 1], "tree_probability"));
    }
    sum += probability;
    if (probability > 0.0) entropy -= probability * std::log(probability);
    different.insert(trees[k].heads());
    EXPECT_TRUE(is_projective(trees[k].heads()));
    for (int word = 1; word <= 3; ++word) arcs[{trees[k][word].head(), word}] += probability;
  }
  EXPECT_EQ(different.size(), trees.size());
  EXPECT_NEAR(sum, 1.0, 2e-3);
  for (const std::string decode : {"best", "mbr"}) {
    const Sentence tree = parsed_sentences(kShort, "--probabilities --prune off --decode " + decode).at(0);
    EXPECT_NEAR(number_in(tree, "tree_entropy"), entropy, 2e-3);
    EXPECT_NEAR(std::exp(number_in(tree, "tree_log_probability")), number_in(trees[0], "tree_probability"),
                2e-3);
    for (int word = 1; word <= 3; ++word) {
      const double expected = arcs[{tree[word].head(), word}];
      EXPECT_NEAR(head_probability(tree[word]).value_or(-1.0), expected, 2e-3);
    }
  }
}

TEST_F(ParseCommand, KBestTreesFollowEachOther) {
  const std::vector<Sentence> trees = parsed_sentences(toy_treebank(3, 4), "--kbest 5 --probabilities");
  ASSERT_EQ(trees.size(), 15U);
  EXPECT_EQ(trees[5].sent_id(), "toy-2");
  EXPECT_EQ(trees[6].sent_id(), "toy-2-k2");
  EXPECT_EQ(trees[9].sent_id(), "toy-2-k5");
  const std::vector<Sentence> best = parsed_sentences(toy_treebank(3, 4));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(trees[5 * k].heads(), best[k].heads());
  EXPECT_NEAR(std::log(number_in(trees[1], "tree_probability")), number_in(trees[1], "tree_log_probability"),
              1e-2);
}

TEST_F(ParseCommand, ExistingProbabilitiesAreReplaced) {
  const std::string row = "1\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t";
  EXPECT_NE(parsed(row + "A=1|P=0.5|B=2\n", "--probabilities").find("\tA=1|P=1.0000|B=2\n"),
            std::string::npos);
  EXPECT_NE(parsed(row + "P=0.5|P=0.6\n", "--probabilities").find("\tP=1.0000\n"), std::string::npos);
  EXPECT_NE(parsed(row + "PP=1|P\n", "--probabilities").find("\tPP=1|P=1.0000\n"), std::string::npos);
}

TEST_F(ParseCommand, EmptyInputGivesEmptyOutput) { EXPECT_EQ(parsed(""), ""); }

TEST_F(ParseCommand, ResultsComeWhileThePipeIsOpen) {
  for (const std::string threads : {"1", "3"}) {
    BackgroundProgram program(folder(), {"parse", "--model", "model", "--threads", threads});
    for (int k = 0; k < 3; ++k) {
      program.write(kShort);
      EXPECT_NE(program.read_until("\n\n").find("3\tsees\t_\tVERB\tVBZ\t_\t0\t_\t_\t_\n\n"),
                std::string::npos);
    }
    // Half a sentence is not an occasion to wait with the one before.
    program.write(kShort + "1\tthe\t_\t");
    EXPECT_NE(program.read_until("\n\n").find("\n\n"), std::string::npos);
    program.write("DET\tDT\t_\t_\t_\t_\t_\n");
    program.close_input();
    EXPECT_EQ(program.read_until("\n\n"), "1\tthe\t_\tDET\tDT\t_\t0\t_\t_\t_\n");
    EXPECT_EQ(program.wait(), 0);
  }
}

TEST_F(ParseCommand, NamedPipesAndCompressedFilesWork) {
  write_file("input", toy_treebank(300, 5));
  const std::string expected = parsed(read_file("input"));
  const Outcome pipe = run_shell(
      "mkfifo pipe; cat input > pipe & \"$COPSE_BINARY\" parse --model model --input pipe --output out && "
      "cat out");
  EXPECT_TRUE(pipe.output == expected) << pipe.errors;
  EXPECT_TRUE(run_shell("gzip -c input | \"$COPSE_BINARY\" parse --model model").output == expected);
}

TEST_F(ParseCommand, ReaderWhoLeavesEarlyIsNoError) {
  write_file("input", toy_treebank(5000, 6));
  const Outcome outcome = run_shell(
      "{ \"$COPSE_BINARY\" parse --model model --input input; echo $? >status; } | head -n 1; cat status");
  EXPECT_EQ(outcome.output, "# sent_id = toy-1\n0\n");
  EXPECT_EQ(outcome.errors, "");
}

// The model has a pruner, and the address space is bounded.
TEST_F(ParseCommand, LongSentencesTakeBoundedMemory) {
  if (std::getenv("COPSE_SANITIZED_PROGRAM") != nullptr) GTEST_SKIP() << "the sanitizer needs address space";
  train("grand", "--factorization grandsibling --features paper --root single");
  const auto long_sentence = [](int words) {
    std::string text;
    for (int k = 1; k <= words; ++k) {
      const bool is_noun = k % 2 == 0;
      text +=
          std::to_string(k) + (is_noun ? "\tdog\t_\tNOUN\tNN" : "\tthe\t_\tDET\tDT") + "\t_\t_\t_\t_\t_\n";
    }
    return text + "\n";
  };
  const std::string command = "ulimit -v 1500000; \"$COPSE_BINARY\" parse --model grand --threads 1";
  const Outcome whole = run_shell(command, kShort + long_sentence(600));
  ASSERT_EQ(whole.status, 0) << whole.errors;
  EXPECT_EQ(whole.errors.find("pieces"), std::string::npos) << whole.errors;
  EXPECT_TRUE(is_projective(read_text(whole.output).at(1).heads()));

  const Outcome pieces = run_shell(command, kShort + long_sentence(610));
  ASSERT_EQ(pieces.status, 0) << pieces.errors;
  const std::string message = "copse: <stdin>:5: sentence 2 has 610 words; parsed in 3 pieces";
  EXPECT_EQ(pieces.errors.substr(0, message.size()), message);
  const std::vector<int> heads = read_text(pieces.output).at(1).heads();
  EXPECT_TRUE(is_tree(heads));
  EXPECT_TRUE(is_projective(heads));
  EXPECT_EQ(roots(heads).size(), 1U);
}

TEST_F(ParseCommand, BadModelsAreStatusOne) {
  expect_one_line_error(run("parse --model missing", kShort), 1, "missing: cannot open");
  expect_one_line_error(run("parse --model train", kShort), 1, "train: is not a Copse model");
  const std::string bytes = read_file("model");
  write_file("short", bytes.substr(0, bytes.size() / 2));
  expect_one_line_error(run("parse --model short", kShort), 1, "short: ");
  std::string damaged = bytes;
  damaged[bytes.size() / 2] ^= 4;
  write_file("damaged", damaged);
  expect_one_line_error(run("parse --model damaged", kShort), 1, "damaged: ");
  train("first", "--factorization first");
  expect_one_line_error(run("parse --model first --prune 0.01", kShort), 1,
                        "first: has no pruner; leave out");
  EXPECT_EQ(run("parse --model first --prune off", kShort).status, 0);
}

TEST_F(ParseCommand, NothingIsHalfWritten) {
  write_file("out", "old");
  write_file("input", toy_treebank(600, 7) + "1\tbroken\n");
  const Outcome outcome = run("parse --model model --input input --output out --threads 1");
  expect_one_line_error(outcome, 1, "input:");
  EXPECT_NE(outcome.errors.find("2 columns found, 10 expected"), std::string::npos);
  EXPECT_EQ(read_file("out"), "old");
  expect_one_line_error(run("parse --model model --input missing --output out"), 1, "missing: cannot open");
  expect_one_line_error(run("parse --model model --output no/folder/out", kShort), 1,
                        "no/folder/out: cannot write");
  expect_one_line_error(run("parse --model model >/dev/full", kShort), 1, "<stdout>: cannot write: No space");
  EXPECT_EQ(read_file("out"), "old");
}

TEST_F(ParseCommand, WrongUsageIsStatusTwo) {
  expect_one_line_error(run("parse --model model --decode viterbi"), 2,
                        "--decode must be best or mbr, not 'viterbi'");
  expect_one_line_error(run("parse --model model --kbest 0"), 2,
                        "--kbest must be between 1 and 10,000, not 0");
  expect_one_line_error(run("parse --model model --kbest 2 --decode mbr"), 2,
                        "--kbest: the k best trees are");
  expect_one_line_error(run("parse --model - "), 2, "--model: only one file can be the standard input");
  expect_one_line_error(run("parse --model model --prune some"), 2, "--prune: 'some' is neither a number");
}

}  // namespace
}  // namespace copse::testing
