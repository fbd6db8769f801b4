// Encoders as people meet them: learning, resuming, training with them, and what is refused.
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/background_program.h"
#include "app/toy_program.h"
#include "io/compress_helpers.h"

namespace copse::testing {
namespace {

// The toy language as plain text: a sentence in a line.
std::string toy_lines(int sentences, std::uint32_t seed) {
  std::istringstream treebank(toy_treebank(sentences, seed));
  std::string text;
  for (std::string line; std::getline(treebank, line);) {
    if (line.empty()) text += '\n';
    if (line.empty() || line[0] == '#') continue;
    const std::size_t begin = line.find('\t') + 1;
    text += line.substr(begin, line.find('\t', begin) - begin) + ' ';
  }
  return text;
}

const std::string kTinyEncoder =
    " --tokens spaces --layers 1 --hidden 32 --word-size 16 --spelling-size 16 --affix-rows 64 --batch 200"
    " --min-count 1 --rate 0.01 --passes ";
const std::string kTinyParser =
    " --potentials network --size small --arc-size 16 --label-size 8 --rank 16 --batch 60 --batch-parts 3"
    " --dropout 0.1 --rate 0.01 ";

class PretrainCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    write_file("text", toy_lines(300, 5));
  }
  Outcome pretrain(const std::string& options, const std::string& output = "encoder",
                   const std::string& input = "", const std::string& passes = "2") const {
    return run("pretrain --output " + output + kTinyEncoder + passes + " " + options, input);
  }
};

TEST_F(PretrainCommand, HelpTeaches) { expect_help("pretrain"); }

TEST_F(PretrainCommand, LearnsAnEncoderAndSaysHowItWasMade) {
  const Outcome outcome = pretrain("--text text --licence 'made up' --treebank train");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(outcome.output.starts_with("encoder: ")) << outcome.output;
  EXPECT_NE(outcome.output.find("1 layer of 32 units"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.errors.find("  pass 2 of 2, 100.0% of all  loss "), std::string::npos) << outcome.errors;
  EXPECT_FALSE(exists("encoder.checkpoint"));
  const Outcome info = run("info encoder");
  EXPECT_EQ(info.status, 0) << info.errors;
  EXPECT_NE(info.output.find("1 layer of 32 units in each direction"), std::string::npos) << info.output;
  const auto json = nlohmann::json::parse(run("info encoder --json").output)["encoder"];
  EXPECT_EQ(json["word_size"], 16);
  EXPECT_EQ(json["facts"]["licence"], "made up");
  EXPECT_EQ(json["facts"]["text"], "text");
  EXPECT_EQ(json["options"]["text"], nlohmann::json({"text"}));
  EXPECT_EQ(json["options"]["treebank"], nlohmann::json({"train"}));
  EXPECT_EQ(json["options"]["tokens"], "spaces");
  EXPECT_EQ(json["options"]["hidden"], 32);
  EXPECT_EQ(json["options"]["rate"], 0.01);
  EXPECT_TRUE(json["options"]["precision"] == "float" || json["options"]["precision"] == "bfloat16");
  EXPECT_FALSE(json["options"].contains("threads"));
  std::istringstream log(read_file("encoder.log.jsonl"));
  std::vector<double> losses;
  for (std::string line; std::getline(log, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] == "start") {
      EXPECT_EQ(event["precision"], json["options"]["precision"]);
    }
    if (event["event"] == "iteration") losses.push_back(event["loss"]);
  }
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_LT(losses[1], losses[0]);
}

TEST_F(PretrainCommand, TheSameForAnyNumberOfThreadsAndForCompressedText) {
  ASSERT_EQ(pretrain("--text text --threads 1", "one").status, 0);
  ASSERT_EQ(pretrain("--text text --threads 3", "three").status, 0);
  EXPECT_TRUE(read_file("one") == read_file("three"));
  // With the same name, which the encoder says.
  write_file("-", zstd_bytes(toy_lines(300, 5)));
  ASSERT_EQ(pretrain("--text ./-", "zst").status, 0);
  ASSERT_EQ(pretrain("--text -", "pipe", toy_lines(300, 5)).status, 0);
  EXPECT_TRUE(read_file("zst") == read_file("pipe"));
  ASSERT_EQ(pretrain("--text text --seed 2", "two").status, 0);
  EXPECT_FALSE(read_file("one") == read_file("two"));
}

TEST_F(PretrainCommand, ParsersBeginWithIt) {
  ASSERT_EQ(pretrain("--text text --licence 'made up'").status, 0);
  const std::string line = "train --train train --dev dev --model model" + kTinyParser + "--encoder encoder ";
  const Outcome outcome = run(line + "--iterations 8");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto info = nlohmann::json::parse(run("info model --json").output);
  EXPECT_EQ(info["network"]["hidden"], 32);
  EXPECT_GT(info["network"]["vectors"], 10);
  EXPECT_EQ(info["facts"]["pretrained encoder"], "encoder");
  EXPECT_EQ(info["facts"]["text of encoder"], "text");
  EXPECT_EQ(info["facts"]["licence of encoder"], "made up");
  EXPECT_EQ(run("parse --model model --input dev --output parsed").status, 0);
  const auto scores =
      nlohmann::json::parse(run("eval --json --bootstrap 0 --gold dev --system parsed").output);
  EXPECT_GE(scores["systems"][0]["uas"]["value"], 0.9);
  // Fewer words, and another model, whatever is the same otherwise.
  ASSERT_EQ(run(line + "--iterations 1 --vector-words 5").status, 0);
  EXPECT_EQ(nlohmann::json::parse(run("info model --json").output)["network"]["vectors"], 5);
  const std::string few = read_file("model");
  ASSERT_EQ(run(line + "--iterations 1 --vector-words 5 --encoder-rate 0").status, 0);
  EXPECT_FALSE(read_file("model") == few);
}

TEST_F(PretrainCommand, KilledRunsAreResumedToTheSameEncoder) {
  write_file("text", toy_lines(3000, 5));
  const std::string line = "pretrain --text text --output encoder" + kTinyEncoder + "20";
  ASSERT_EQ(run(line).status, 0);
  const std::string undisturbed = read_file("encoder");
  remove("encoder");
  remove("encoder.log.jsonl");
  std::vector<std::string> arguments;
  std::istringstream words(line);
  for (std::string word; words >> word;) arguments.push_back(word);
  {
    BackgroundProgram program(folder(), arguments);
    ASSERT_TRUE(wait_for([&] {
      return read_file("encoder.log.jsonl").find("\"iteration\":2") != std::string::npos;
    })) << read_file("errors");
    program.send(SIGINT);
    const int status = program.wait();
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT) << read_file("errors");
  }
  ASSERT_FALSE(exists("encoder")) << "the run was too short for this test";
  EXPECT_EQ(run(line).status, 1) << "checkpoints must not be thrown away";
  EXPECT_EQ(run(line + " --resume --seed 2").status, 1) << "of another run";
  const Outcome resumed = run(line + " --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_NE(resumed.errors.find("going on after"), std::string::npos) << resumed.errors;
  EXPECT_TRUE(read_file("encoder") == undisturbed);
}

TEST_F(PretrainCommand, WrongUsageIsOneLineAndStatus2) {
  const auto refused = [&](const std::string& arguments, const std::string& option) {
    expect_one_line_error(run(arguments), 2, option);
  };
  refused("pretrain --output encoder", "--text");
  refused("pretrain --text text --output text", "--output");
  refused("pretrain --text text --output -", "--output");
  refused("pretrain --text text --output encoder --hidden 17", "--hidden");
  refused("pretrain --text text --output encoder --tokens spaces --model m", "--model");
  refused("train --train train --model m --encoder encoder", "--encoder");
  const std::string network = "train --train train --model m --potentials network ";
  refused(network + "--encoder encoder --vectors v", "--vectors");
  refused(network + "--encoder encoder --spelling characters", "--spelling");
  refused(network + "--encoder encoder --tags gold", "--tags");
  refused(network + "--encoder-rate 0.1", "--encoder-rate");
  EXPECT_FALSE(exists("encoder"));
}

TEST_F(PretrainCommand, BadDataIsOneLineAndStatus1) {
  write_file("empty", "");
  write_file("latin", "caf\xe9\n");
  const Outcome empty = pretrain("--text empty");
  EXPECT_EQ(empty.status, 1);
  EXPECT_NE(empty.errors.find("copse: the text has no words; "), std::string::npos) << empty.errors;
  EXPECT_NE(pretrain("--text latin").errors.find("copse: latin:1: invalid UTF-8"), std::string::npos);
  EXPECT_EQ(pretrain("--text missing").status, 1);
  EXPECT_FALSE(exists("encoder"));
  EXPECT_FALSE(exists("encoder.checkpoint"));
  const std::string network = "train --train train --model m --potentials network --encoder ";
  expect_one_line_error(run(network + "train"), 1, "train: ");
  expect_one_line_error(run(network + "missing"), 1, "missing: ");
  ASSERT_EQ(pretrain("--text text").status, 0);
  expect_one_line_error(run(network + "encoder --hidden 64"), 1, "encoder: the encoder has 32");
  run_shell("head -c 3000 encoder > half");
  expect_one_line_error(run(network + "half"), 1, "half: ");
  EXPECT_FALSE(exists("m"));
}

}  // namespace
}  // namespace copse::testing
