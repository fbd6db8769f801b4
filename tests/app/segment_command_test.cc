#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "segmentation/segmented_toys.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

class SegmentCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    write_file("train", segmented_toys(150, 1));
    write_file("dev", segmented_toys(40, 2));
  }
  std::string train(const std::string& options = "", const std::string& model = "model") const {
    const Outcome outcome = run("segment --train train --iterations 5 --model " + model + " " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.output;
  }
};

TEST_F(SegmentCommand, HelpTeaches) { expect_help("segment"); }

TEST_F(SegmentCommand, TrainsReportsAndFindsTheTextAgain) {
  const std::string report = train("--dev dev");
  for (const char* measure : {"Tokens", "Sentences", "Words"}) {
    const std::size_t line = report.find(std::string("\n") + measure);
    ASSERT_NE(line, std::string::npos) << report;
    EXPECT_NE(report.substr(line, 50).find("100.00%   100.00%   100.00%"), std::string::npos) << report;
  }
  const Outcome text = run("convert dev --from conllu --to text");
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_NE(text.output.find("\n\n"), std::string::npos);
  const Outcome found = run("segment --model model", text.output);
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.errors, "");
  EXPECT_EQ(read_text(found.output).size(), 40U);
  write_file("found", found.output);
  EXPECT_EQ(run("convert found --from conllu --to text").output, text.output);
  write_file("text", text.output);
  EXPECT_EQ(run("segment --model model --input text --output file").status, 0);
  EXPECT_TRUE(read_file("file") == found.output);
  EXPECT_EQ(run("convert found --from conllu --output back.txt").status, 0);
  EXPECT_TRUE(read_file("back.txt") == text.output);
}

TEST_F(SegmentCommand, SentencesWithoutHeadsCanBeEvaluated) {
  train();
  std::string gold;
  for (const char* word : {"The\t2", "dog\t0", ".\t2"}) {
    const std::string text = word;
    const std::size_t tab = text.find('\t');
    gold += std::to_string(std::count(gold.begin(), gold.end(), '\n') + 1) + "\t" + text.substr(0, tab) +
            "\t_\t_\t_\t_\t" + text.substr(tab + 1) + "\tdep\t_\t_\n";
  }
  write_file("gold", gold + "\n");
  EXPECT_EQ(run("segment --model model --output found", "The dog.").status, 0);
  const auto json = nlohmann::json::parse(run("eval --aligned --json --gold gold --system found").output);
  EXPECT_EQ(json["systems"][0]["words"]["f1"], 1.0);
  EXPECT_EQ(json["systems"][0]["sentences"]["f1"], 1.0);
  EXPECT_EQ(json["systems"][0]["uas"]["f1"], 0.0);
}

TEST_F(SegmentCommand, TheModelIsTheSameForAnyNumberOfThreads) {
  train("--threads 1", "one");
  train("--threads 3", "three");
  EXPECT_TRUE(read_file("one") == read_file("three"));
}

TEST_F(SegmentCommand, EveryLearnerAndOrder) {
  for (const char* options : {"--learner lbfgs --order 1", "--learner perceptron --order 2",
                              "--learner adagrad --l2 0.5 --seed 3 --order 1"}) {
    EXPECT_NE(train(std::string("--dev dev ") + options).find("100.00%"), std::string::npos) << options;
  }
}

TEST_F(SegmentCommand, InfoSaysWhatTheModelIs) {
  train("--seed 7");
  const Outcome text = run("info model");
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_NE(text.output.find("segmenter"), std::string::npos) << text.output;
  const auto json = nlohmann::json::parse(run("info model --json").output);
  EXPECT_EQ(json["segmenter"]["facts"]["seed"], "7");
}

TEST_F(SegmentCommand, WrongUsageIsOneLineAndStatus2) {
  const auto expect_usage = [this](const std::string& arguments, const std::string& message) {
    expect_one_line_error(run(arguments), 2, message);
  };
  expect_usage("segment --train train", "--model is required");
  expect_usage("segment --train train --model m --ranges", "--ranges: is for segmenting");
  expect_usage("segment --model m --dev dev", "--dev: is for training");
  expect_usage("segment --model m --threads 2", "--threads: is for training");
  expect_usage("segment --model m --train train --input dev", "--input: is for segmenting");
  expect_usage("segment --model m --train train --order 3", "--order");
  expect_usage("segment --model m --train train --learner perceptron --l2 1", "--l2");
  expect_usage("segment --model - --train train", "--model");
  expect_usage("segment --model - --input -", "--model");
}

TEST_F(SegmentCommand, BadDataIsOneLineAndStatus1) {
  write_file("empty", "");
  write_file("broken", "1\ta\n\n");
  write_file("garbage", "this is no model");
  expect_one_line_error(run("segment --train empty --model m"), 1, "there is no sentence to learn from");
  expect_one_line_error(run("segment --train broken --model m"), 1, "broken:1");
  expect_one_line_error(run("segment --train train --model no/folder/m"), 1, "no/folder/m");
  EXPECT_FALSE(exists("m"));
  expect_one_line_error(run("segment --model garbage", "a"), 1, "garbage");
  train();
  expect_one_line_error(run("segment --model model --output out", "a\nb \xFF"), 1,
                        "<stdin>:2: invalid UTF-8");
  EXPECT_FALSE(exists("out"));
  expect_one_line_error(run("tag --model model", ""), 1,
                        "model: is a segmenter, which `copse segment` takes; it has no tagger");
  EXPECT_EQ(run("segment --model model", "").output, "");
}

}  // namespace
}  // namespace copse::testing
