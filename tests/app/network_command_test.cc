// Networks as people meet them: training, resuming, parsing, and what is refused.
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/background_program.h"
#include "app/toy_program.h"

namespace copse::testing {
namespace {

// The smallest network that learns the toy language in seconds.
const std::string kTiny =
    " --potentials network --size small --layers 1 --hidden 32 --arc-size 16 --label-size 8 --rank 16"
    " --word-size 16 --spelling-size 16 --batch 60 --batch-parts 3 --dropout 0.1 --rate 0.01 ";

class NetworkCommand : public ToyProgramTest {
 protected:
  Outcome train(const std::string& options) const {
    return run("train --train train --dev dev --model model" + kTiny + options);
  }
  nlohmann::json scores(const std::string& system) const {
    const Outcome outcome = run("eval --json --bootstrap 0 --gold dev --system " + system);
    return nlohmann::json::parse(outcome.output)["systems"][0];
  }
  int iterations_so_far() const {
    const std::string text = read_file("model.log.jsonl");
    int count = 0;
    for (std::size_t at = 0; (at = text.find("\"event\":\"iteration\"", at)) != std::string::npos; ++at)
      ++count;
    return count;
  }
};

TEST_F(NetworkCommand, LearnsTheToyLanguageFromWordsAlone) {
  // What is read must not tell what is to be found.
  run_shell("awk -F'\\t' -v OFS='\\t' 'NF == 10 {$3=$4=$5=$6=$7=$8=\"_\"} {print}' dev > words");
  std::vector<std::string> choices = {"--factorization grandsibling --margin 1", "--spelling characters"};
  if (std::getenv("COPSE_SANITIZED_PROGRAM") == nullptr) {  // which is slow, and has seen all of it in parts
    for (const char* choice :
         {"--factorization first --loss local", "--factorization first",
          "--factorization sibling --root multi", "--factorization grandchild", "--factorization outermost",
          "--factorization trisibling", "--factorization grandtrisibling --root single",
          "--factorization first --trees nonprojective"}) {
      choices.emplace_back(choice);
    }
  }
  for (const std::string& options : choices) {
    SCOPED_TRACE(options);
    const Outcome outcome = train("--iterations 20 " + options);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    ASSERT_EQ(run("parse --model model --input words --output parsed").errors, "");
    const nlohmann::json found = scores("parsed");
    EXPECT_GE(found["uas"]["value"], 0.95);
    EXPECT_GE(found["las"]["value"], 0.95);
    const std::string parsed = read_file("parsed");
    EXPECT_NE(parsed.find("\tVERB\tVBZ\t"), std::string::npos) << "tags come from the same pass";
  }
}

TEST_F(NetworkCommand, TheModelIsTheSameForAnyNumberOfThreads) {
  ASSERT_EQ(train("--iterations 3 --threads 1").status, 0);
  const std::string one = read_file("model");
  ASSERT_EQ(train("--iterations 3 --threads 3").status, 0);
  EXPECT_TRUE(one == read_file("model"));
}

TEST_F(NetworkCommand, OutputIsTheSameForAnyNumberOfThreadsAndAnyBatching) {
  ASSERT_EQ(train("--iterations 3").status, 0);
  const std::string all = run("parse --model model --input dev --probabilities --kbest 3 --threads 1").output;
  EXPECT_EQ(run("parse --model model --input dev --probabilities --kbest 3 --threads 4").output, all);
  // A sentence alone is a batch of its own.
  run_shell("awk -v RS= '{print $0 \"\\n\" > \"one.\" NR}' dev");
  std::string alone;
  for (int k = 1; k <= 20; ++k) {
    alone += run("parse --model model --probabilities --kbest 3 --input one." + std::to_string(k)).output;
  }
  EXPECT_EQ(alone, all);
}

TEST_F(NetworkCommand, KilledRunsAreResumedToTheSameModel) {
  const std::string without = "train --train train --dev dev --model model" + kTiny + "--iterations 12";
  const std::string line = without + " --factorization grandtrisibling";
  ASSERT_EQ(run(line).status, 0);
  const std::string undisturbed = read_file("model");
  remove("model");
  remove("model.log.jsonl");
  std::vector<std::string> arguments;
  std::istringstream words(line);
  for (std::string word; words >> word;) arguments.push_back(word);
  {
    BackgroundProgram program(folder(), arguments);
    ASSERT_TRUE(wait_for([&] { return iterations_so_far() >= 3; })) << read_file("errors");
    program.send(SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(program.wait()));
  }
  ASSERT_FALSE(exists("model")) << "the run was too short for this test";
  EXPECT_EQ(run(line).status, 1) << "checkpoints must not be thrown away";
  EXPECT_EQ(run(line + " --seed 2 --resume").status, 1) << "of another run";
  EXPECT_EQ(run(without + " --factorization trisibling --resume").status, 1) << "with other parts";
  const Outcome resumed = run(line + " --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_NE(resumed.errors.find("going on after iteration"), std::string::npos);
  EXPECT_TRUE(read_file("model") == undisturbed);
}

TEST_F(NetworkCommand, KnownHeadsAreKept) {
  ASSERT_EQ(train("--iterations 3").status, 0);
  const Outcome kept = run("parse --model model --input dev --constraints --output kept");
  ASSERT_EQ(kept.status, 0) << kept.errors;
  EXPECT_EQ(scores("kept")["uas"]["value"], 1.0);
}

TEST_F(NetworkCommand, PipelineNeedsNothingButText) {
  ASSERT_EQ(train("--iterations 10 --pipeline").status, 0);
  write_file("text", "The dog sees Mary.");
  const Outcome outcome = run("parse --model model --input-format text --input text --probabilities");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("\tsees\t"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("PDEPREL="), std::string::npos);
  const nlohmann::json info = nlohmann::json::parse(run("info --json model").output);
  EXPECT_EQ(info["potentials"], "network");
  EXPECT_EQ(info["network"]["hidden"], 32);
}

TEST_F(NetworkCommand, LongSentencesAndLongWordsAreParsed) {
  ASSERT_EQ(train("--iterations 2").status, 0);
  std::string text;
  for (int word = 1; word <= 1500; ++word) text += std::to_string(word) + "\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n";
  text += "1501\t" + std::string(60'000, 'x') + "\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  write_file("long", text);
  const Outcome outcome = run("parse --model model --input long --output parsed");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(run("check parsed").status, 0);
}

TEST_F(NetworkCommand, VectorsAreReadAndStored) {
  write_file("vectors", "2 3\ndog 0.1 0.2 0.3\nsees 1 -1 0.5\n");
  ASSERT_EQ(train("--iterations 2 --vectors vectors").status, 0);
  const nlohmann::json info = nlohmann::json::parse(run("info --json model").output);
  EXPECT_EQ(info["network"]["vectors"], 2);
  write_file("vectors", "2 3\ndog 0.1 0.2 0.3\nsees 1 -1\n");
  const Outcome wrong = train("--iterations 2 --vectors vectors");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.errors.find("vectors:3:"), std::string::npos) << wrong.errors;
}

TEST_F(NetworkCommand, WhatMakesNoSenseIsRefused) {
  for (const std::string options :
       {"--l2 1", "--learner mira", "--features rich", "--labels joint", "--loss local", "--rank 17",
        "--hidden 0", "--dropout 1.5", "--rate 0", "--size huge"}) {
    SCOPED_TRACE(options);
    EXPECT_EQ(run("train --train train --model model --potentials network " + options).status, 2);
  }
  EXPECT_EQ(run("train --train train --model model --hidden 32").status, 2);
  EXPECT_EQ(run("train --train train --model model --tags none").status, 2);
  EXPECT_FALSE(exists("model"));
}

}  // namespace
}  // namespace copse::testing
