// What training must not do: overwrite what it reads, throw work away, leave rubbish behind, or say what is
// not so.
#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/background_program.h"
#include "app/toy_program.h"

namespace copse::testing {
namespace {

class TrainSafety : public ToyProgramTest {
 protected:
  std::vector<std::string> temporaries() const {
    std::vector<std::string> names;
    // The program that writes these files may still run: a folder that goes away meanwhile ends the list.
    std::error_code gone;
    for (std::filesystem::recursive_directory_iterator entry(folder(), gone), end; !gone && entry != end;
         entry.increment(gone)) {
      const std::filesystem::path& path = entry->path();
      if (path.filename().string().find(".tmp-") != std::string::npos) names.push_back(path);
    }
    return names;
  }
  nlohmann::json last_event(const std::string& log) const {
    std::istringstream lines(read_file(log));
    nlohmann::json last;
    for (std::string line; std::getline(lines, line);) last = nlohmann::json::parse(line);
    return last;
  }
};

TEST_F(TrainSafety, DoesNotOverwriteWhatItReads) {
  const std::string treebank = read_file("train");
  ASSERT_EQ(run_shell("ln -s train link && ln train hard && cp train model.log.jsonl").status, 0);
  for (const std::string command : {"train", "tag", "segment"}) {
    SCOPED_TRACE(command);
    const auto refused = [](const std::string& file) {
      return "--model: '" + file + "' would be overwritten, and is read, too; write to another file";
    };
    expect_one_line_error(run(command + " --train train --model train"), 2, refused("train"));
    expect_one_line_error(run(command + " --train dev --dev train --model ./train"), 2, refused("./train"));
    expect_one_line_error(run(command + " --train link --model train"), 2, refused("train"));
    expect_one_line_error(run(command + " --train train --model hard"), 2, refused("hard"));
  }
  expect_one_line_error(run("train --train model.log.jsonl --model model"), 2,
                        "--model: 'model.log.jsonl' would be overwritten");
  EXPECT_EQ(read_file("train"), treebank);
  EXPECT_EQ(read_file("model.log.jsonl"), treebank);
}

TEST_F(TrainSafety, NumbersAreFinite) {
  const std::string start = "train --train train --model model ";
  for (const std::string number : {"nan", "inf", "-inf"}) {
    SCOPED_TRACE(number);
    expect_one_line_error(run(start + "--l1=" + number), 2, "--l1");
    expect_one_line_error(run(start + "--margin=" + number), 2, "--margin");
    expect_one_line_error(run(start + "--l2=" + number), 2, "--l2");
    expect_one_line_error(run(start + "--prune=" + number), 2, "--prune");
    expect_one_line_error(run(start + "--patience=" + number), 2,
                          "--patience: '" + number + "' is neither a number of iterations nor off");
    expect_one_line_error(run("tag --train train --model model --l2=" + number), 2, "--l2");
  }
}

TEST_F(TrainSafety, DevelopmentDataSaysSomething) {
  write_file("empty", "\n");
  write_file("headless", "1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n\n");
  expect_one_line_error(run("train --train train --dev empty --model model"), 1,
                        "empty: there is no sentence; give development data that has some, or none (--dev)");
  expect_one_line_error(run("tag --train train --dev empty --model model"), 1,
                        "empty: there is no sentence; give development data that has some, or none (--dev)");
  expect_one_line_error(run("train --train train --dev headless --model model"), 1,
                        "headless: no word has a head; give development data with trees, or none (--dev)");
  EXPECT_FALSE(exists("model"));
}

TEST_F(TrainSafety, CheckpointsAreNotThrownAway) {
  write_file("ambiguous", ToyGrammar(3, true).treebank(60));
  const std::vector<std::string> arguments = {
      "train",    "--train",   "ambiguous", "--model",      "model", "--prune",   "0.0001", "--l2",
      "0.000001", "--learner", "adagrad",   "--iterations", "40",    "--threads", "2"};
  std::string command;
  for (const std::string& argument : arguments) command += argument + " ";
  {
    BackgroundProgram program(folder(), arguments);
    ASSERT_TRUE(wait_for([&] {
      return read_file("model.log.jsonl").find("\"event\":\"iteration\",") != std::string::npos;
    })) << read_file("errors");
    program.send(SIGINT);
    program.wait();
  }
  const std::string log = read_file("model.log.jsonl");
  expect_one_line_error(
      run(command), 1,
      "model.checkpoint: there are checkpoints of an interrupted run; go on with it, or remove "
      "this folder to start afresh (--resume)");
  EXPECT_EQ(read_file("model.log.jsonl"), log);
  const Outcome resumed = run(command + "--resume");
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_NE(resumed.errors.find("going on after iteration"), std::string::npos) << resumed.errors;
}

TEST_F(TrainSafety, SignalsLeaveNoTemporaryFiles) {
  ASSERT_EQ(run("train --train train --model model --iterations 2 --factorization first").status, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    SCOPED_TRACE(signal);
    BackgroundProgram program(folder(), {"parse", "--model", "model", "--output", "parsed"});
    ASSERT_TRUE(wait_for([&] { return !temporaries().empty(); })) << read_file("errors");
    program.send(signal);
    const int status = program.wait();
    if (signal == SIGTERM || signal == SIGUSR1) {  // schedulers may start the job again
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 75) << status;
    } else {
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    }
    EXPECT_EQ(temporaries(), std::vector<std::string>());
    EXPECT_FALSE(exists("parsed"));
  }
}

// A second signal ends training at once: the checkpoint that is being written must go.
TEST_F(TrainSafety, SecondSignalsLeaveNoTemporaryFiles) {
  write_file("ambiguous", ToyGrammar(3, true).treebank(60));
  for (int attempt = 0; attempt < 20; ++attempt) {
    run_shell("rm -rf model*");
    BackgroundProgram program(folder(), {"train", "--train", "ambiguous", "--model", "model", "--learner",
                                         "adagrad", "--iterations", "400", "--threads", "1",
                                         "--factorization", "first", "--features", "paper"});
    ASSERT_TRUE(wait_for([&] { return !temporaries().empty(); })) << read_file("errors");
    program.send(SIGTERM);
    program.send(SIGTERM);
    program.wait();
    ASSERT_EQ(temporaries(), std::vector<std::string>());
  }
}

// The development trees have crossing arcs, which are lifted while learning, so that one word seems to have
// the head that it has in the training data: only the finished model can say how many heads are found.
TEST_F(TrainSafety, InfoAndLogAgreeOnDevelopmentData) {
  const auto trees = [](const std::string& last_head) {
    std::string text;
    for (int k = 0; k < 10; ++k) {
      text +=
          "1\ta\t_\tA\tA\t_\t0\troot\t_\t_\n2\tb\t_\tB\tB\t_\t1\tx\t_\t_\n"
          "3\tc\t_\tC\tC\t_\t1\ty\t_\t_\n4\td\t_\tD\tD\t_\t" +
          last_head + "\tz\t_\t_\n\n";
    }
    return text;
  };
  write_file("flat", trees("1"));
  write_file("crossing", trees("2"));
  const Outcome outcome =
      run("train --train flat --dev crossing --model model --iterations 10 --factorization first "
          "--nonprojective pseudo");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("UAS 100.00%"), std::string::npos) << outcome.errors;
  const nlohmann::json info = nlohmann::json::parse(run("info model --json").output);
  EXPECT_EQ(last_event("model.log.jsonl")["dev_uas"], 0.75);
  EXPECT_EQ(info["facts"]["development UAS"], "0.7500");
}

TEST_F(TrainSafety, JointLabelsOfOneSentence) {
  write_file("one", "1\ta\t_\tA\tA\t_\t0\troot\t_\t_\n2\tb\t_\tB\tB\t_\t1\tobj\t_\t_\n\n");
  const Outcome outcome = run("train --train one --model model --labels joint --iterations 3");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const Outcome parsed = run("parse --model model --input one");
  EXPECT_EQ(parsed.status, 0) << parsed.errors;
  EXPECT_EQ(std::count(parsed.output.begin(), parsed.output.end(), '\n'), 3);
}

}  // namespace
}  // namespace copse::testing
