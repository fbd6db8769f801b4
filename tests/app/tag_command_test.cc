#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "tagging/tagged_toys.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

class TagCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    write_file("train", tagged_toys(120, 1));
    write_file("dev", tagged_toys(30, 2));
  }
  std::string train(const std::string& options = "", const std::string& model = "model") const {
    const Outcome outcome = run("tag --train train --iterations 5 --model " + model + " " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.output;
  }
  std::string tagged(const std::string& input, const std::string& options = "") const {
    const Outcome outcome = run("tag --model model " + options, input);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.errors, "");
    return outcome.output;
  }
};

TEST_F(TagCommand, HelpTeaches) { expect_help("tag"); }

TEST_F(TagCommand, TrainsReportsAndTags) {
  const std::string report = train("--dev dev");
  for (const char* column : {"UPOS", "XPOS", "FEATS", "LEMMA"}) {
    const std::size_t line = report.find(std::string("\n") + column);
    ASSERT_NE(line, std::string::npos) << report;
    EXPECT_NE(report.substr(line, 40).find("100.00%"), std::string::npos) << report;
  }
  EXPECT_TRUE(tagged(read_file("dev")) == read_file("dev"));
}

TEST_F(TagCommand, OutputIsTheSameForAnyNumberOfThreadsAndKeepsTheOrder) {
  train("--attributes upos,lemma");
  const std::string input = tagged_toys(8000, 3);
  const std::string one = tagged(input, "--threads 1 --probabilities");
  EXPECT_TRUE(one == tagged(input, "--threads 3 --probabilities"));
  const std::vector<Sentence> sentences = read_text(one);
  ASSERT_EQ(sentences.size(), 8000U);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    ASSERT_EQ(sentences[k].sent_id(), "toy-" + std::to_string(k + 1));
  }
}

TEST_F(TagCommand, TheModelIsTheSameForAnyNumberOfThreads) {
  train("--threads 1", "one");
  train("--threads 3", "three");
  EXPECT_TRUE(read_file("one") == read_file("three"));
}

TEST_F(TagCommand, EveryLearnerAndOrder) {
  for (const char* options : {"--learner lbfgs --order 1", "--learner perceptron --order 2",
                              "--learner adagrad --l2 0.5 --seed 3 --order 1"}) {
    train(options);
    EXPECT_TRUE(tagged(read_file("dev")) == read_file("dev")) << options;
  }
}

TEST_F(TagCommand, OtherFormatsStayWhatTheyAre) {
  train("--attributes xpos");
  EXPECT_EQ(tagged("the\t_\t2\ndogs\t_\t0\n\n"), "the\tDT\t2\ndogs\tNNS\t0\n\n");
  EXPECT_EQ(tagged("1\tthe\t_\tX\tY\t_\t0\tx\t4\ty\r\n"), "1\tthe\t_\tX\tDT\t_\t0\tx\t4\ty\r\n");
  EXPECT_EQ(tagged(""), "");
  const std::string with = tagged("the\t_\t2\ndogs\t_\t0\n\n", "--probabilities");
  EXPECT_NE(with.find("\tDT\t_\t2\t_\t_\tPXPOS="), std::string::npos) << with;
}

TEST_F(TagCommand, InfoSaysWhatTheModelIs) {
  train("--attributes upos,lemma --seed 7");
  const Outcome text = run("info model");
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_NE(text.output.find("UPOS LEMMA\n"), std::string::npos) << text.output;
  const auto json = nlohmann::json::parse(run("info model --json").output);
  EXPECT_EQ(json["tagger"]["attributes"], (std::vector<std::string>{"upos", "lemma"}));
  EXPECT_EQ(json["tagger"]["facts"]["seed"], "7");
  EXPECT_EQ(json["tagger"]["facts"]["training files"], "train");
}

TEST_F(TagCommand, WritesFilesAndReadsThem) {
  train("--attributes upos");
  EXPECT_EQ(run("tag --model model --input dev --output tagged").status, 0);
  EXPECT_TRUE(read_file("tagged") == tagged(read_file("dev")));
}

TEST_F(TagCommand, WrongUsageIsOneLineAndStatus2) {
  const auto expect_usage = [this](const std::string& arguments, const std::string& message) {
    expect_one_line_error(run(arguments), 2, message);
  };
  expect_usage("tag --train train", "--model is required");
  expect_usage("tag --train train --model m --sent-ids x", "--sent-ids: is for tagging");
  expect_usage("tag --model m --dev dev", "--dev: is for training");
  expect_usage("tag --model m --order 1", "--order: is for training");
  expect_usage("tag --model m --train train --input dev", "--input: is for tagging");
  expect_usage("tag --model m --train train --probabilities", "--probabilities: is for tagging");
  expect_usage("tag --model m --train train --order 3", "--order");
  expect_usage("tag --model m --train train --learner mira", "--learner");
  expect_usage("tag --model m --train train --attributes head", "--attributes");
  expect_usage("tag --model m --train train --learner perceptron --l2 1", "--l2");
  expect_usage("tag --model - --train train", "--model");
  expect_usage("tag --model - --input -", "--model");
}

TEST_F(TagCommand, BadDataIsOneLineAndStatus1) {
  write_file("empty", "");
  write_file("untagged", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  write_file("broken", "1\ta\n\n");
  write_file("garbage", "this is no model");
  expect_one_line_error(run("tag --train empty --model m"), 1, "there is no sentence to learn from");
  expect_one_line_error(run("tag --train untagged --model m"), 1, "no word has a value");
  expect_one_line_error(run("tag --train train --attributes lemma,feats --model no/folder/m"), 1,
                        "no/folder/m");
  expect_one_line_error(run("tag --train broken --model m"), 1, "broken:1");
  EXPECT_FALSE(exists("m"));
  expect_one_line_error(run("tag --model garbage", "1\ta\n"), 1, "garbage");
  expect_one_line_error(run("tag --model missing", ""), 1, "missing");
  write_file("trees", toy_treebank(20, 1));
  ASSERT_EQ(run("train --train trees --model parser --factorization first --iterations 1").status, 0);
  expect_one_line_error(run("tag --model parser", ""), 1,
                        "parser: is a parser, which `copse parse` takes; it has no tagger");
  train("--attributes upos");
  expect_one_line_error(run("tag --model model", "1\ta\t_\t_\t_\t_\t_\n\n"), 1, "<stdin>:1");
}

}  // namespace
}  // namespace copse::testing
