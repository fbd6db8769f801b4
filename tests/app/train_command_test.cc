#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/background_program.h"
#include "app/toy_program.h"

namespace copse::testing {
namespace {

class TrainCommand : public ToyProgramTest {
 protected:
  std::vector<nlohmann::json> log(const std::string& name = "model.log.jsonl") const {
    std::vector<nlohmann::json> events;
    std::istringstream lines(read_file(name));
    for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
    return events;
  }
  std::vector<nlohmann::json> log_of(const std::string& event) const {
    std::vector<nlohmann::json> events = log();
    std::erase_if(events, [&](const nlohmann::json& entry) { return entry["event"] != event; });
    return events;
  }
  // A last line may be cut off while the program is writing it.
  int iterations_so_far() const {
    const std::string text = read_file("model.log.jsonl");
    int count = 0;
    for (std::size_t at = 0; (at = text.find("\"event\":\"iteration\"", at)) != std::string::npos; ++at)
      ++count;
    return count;
  }
  double uas(const std::string& gold, const std::string& system) const {
    const Outcome outcome = run("eval --json --bootstrap 0 --gold " + gold + " --system " + system);
    return nlohmann::json::parse(outcome.output)["systems"][0]["uas"]["value"];
  }
  std::vector<std::string> arguments_of_long_run(const std::string& learner) const {
    std::vector<std::string> arguments = {
        "train",     "--train", "ambiguous", "--dev", "dev",     "--model", "model", "--iterations", "40",
        "--threads", "2",       "--learner", learner, "--prune", "0.0001",  "--l2",  "0.000001"};
    if (learner == "perceptron" || learner == "mira") arguments.resize(arguments.size() - 2);
    return arguments;
  }
  static std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += word + " ";
    return line;
  }
};

TEST_F(TrainCommand, HelpTeaches) { expect_help("train"); }

TEST_F(TrainCommand, EveryFactorizationAndLearnerLearnsTheToyLanguage) {
  for (const std::string factorization : {"first", "sibling", "grandchild", "grandsibling"}) {
    for (const std::string learner : {"lbfgs", "perceptron", "mira", "adagrad"}) {
      SCOPED_TRACE(factorization + " " + learner);
      const Outcome outcome = run("train --train train --model model --iterations 15 --factorization " +
                                  factorization + " --learner " + learner);
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
      ASSERT_EQ(run("parse --model model --input dev --output parsed").errors, "");
      EXPECT_GE(uas("dev", "parsed"), 0.98);
    }
  }
}

TEST_F(TrainCommand, NonprojectiveTreesAreRemembered) {
  std::string crossing;
  for (int k = 0; k < 30; ++k) {
    crossing +=
        "1\ta\t_\tA\tA\t_\t0\t_\t_\t_\n2\tb\t_\tB\tB\t_\t1\t_\t_\t_\n3\tc\t_\tC\tC\t_\t1\t_\t_\t_\n"
        "4\td\t_\tD\tD\t_\t2\t_\t_\t_\n\n";
  }
  write_file("crossing", crossing);
  for (const std::string learner : {"lbfgs", "perceptron", "mira", "adagrad"}) {
    SCOPED_TRACE(learner);
    const Outcome outcome =
        run("train --train crossing --model model --iterations 15 --factorization first "
            "--trees nonprojective --root multi --learner " +
            learner);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(run("parse --model model --input crossing").output, crossing);
  }
  EXPECT_NE(run("info model").output.find("trees                nonprojective\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run("info model --json").output)["trees"], "nonprojective");
  const Outcome all =
      run("parse --model model --kbest 1000 --probabilities", crossing.substr(0, crossing.size() / 30));
  EXPECT_EQ(all.status, 0);
  EXPECT_NE(all.output.find("# kbest_rank = 125\n"), std::string::npos);  // all trees over four words
  EXPECT_EQ(all.output.find("# kbest_rank = 126\n"), std::string::npos);
  EXPECT_EQ(run("pack model --output small --size 1M").status, 0);
  EXPECT_EQ(nlohmann::json::parse(run("info small --json").output)["trees"], "nonprojective");
}

TEST_F(TrainCommand, ReportsToPeopleAndPrograms) {
  write_file("more",
             "1\ta\t_\tX\tX\t_\t3\t_\t_\t_\n2\tb\t_\tX\tX\t_\t0\t_\t_\t_\n3\tc\t_\tX\tX\t_\t2\t_\t_\t_\n"
             "4\td\t_\tX\tX\t_\t1\t_\t_\t_\n\n"                                // not projective
             "1\ta\t_\tX\tX\t_\t2\t_\t_\t_\n2\tb\t_\tX\tX\t_\t_\t_\t_\t_\n\n"  // partial
             "1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n");                                // no heads
  const Outcome outcome =
      run("train --train train more --dev dev --model model --iterations 10 --max-length 11 --threads 2");
  EXPECT_EQ(outcome.status, 0);
  for (const char* expected :
       {"preparing the training data\n", " sentences left out: too long\n",
        "  1 sentence left out: no heads\n", "  1 sentence with heads for some words only\n",
        "  1 sentence made projective or single-rooted, which changed", "candidate arcs per word",
        " features, ", "  1/10  objective ", " UAS 100.00%", "sentences/s", " left\n"}) {
    EXPECT_NE(outcome.errors.find(expected), std::string::npos) << expected << outcome.errors;
  }
  EXPECT_EQ(outcome.output.substr(0, 7), "model: ");
  EXPECT_NE(outcome.output.find(" bytes, "), std::string::npos);
  EXPECT_NE(outcome.output.find("development data: UAS 100.00%, LAS 100.00%, complete 100.00%"),
            std::string::npos);

  const std::vector<nlohmann::json> events = log();
  EXPECT_EQ(events.front()["event"], "start");
  EXPECT_EQ(events.front()["factorization"], "grandsibling");
  const nlohmann::json prepared = log_of("prepared").at(0);
  EXPECT_EQ(prepared["partial"], 1);
  EXPECT_EQ(prepared["projectivized"], 1);
  EXPECT_EQ(prepared["without_heads"], 1);
  EXPECT_GT(prepared["too_long"], 0);
  EXPECT_EQ(prepared["sentences"].get<int>() + prepared["too_long"].get<int>(), 62);
  EXPECT_EQ(log_of("pruned").size(), 1U);
  EXPECT_GT(log_of("features").at(0)["features"], 0);
  const std::vector<nlohmann::json> iterations = log_of("iteration");
  ASSERT_FALSE(iterations.empty());
  EXPECT_EQ(iterations.front()["iteration"], 1);
  EXPECT_EQ(iterations.back()["dev_uas"], 1.0);
  EXPECT_LT(iterations.back()["objective"], iterations.front()["objective"]);
  EXPECT_EQ(events.back()["event"], "end");
  EXPECT_EQ(events.back()["dev_uas"], 1.0);
  EXPECT_GT(events.back()["seconds"], 0.0);
  EXPECT_GT(events.back()["peak_memory_bytes"], 1'000'000);
  EXPECT_EQ(events.back()["model_bytes"], read_file("model").size());
  EXPECT_FALSE(exists("model.checkpoint"));
}

TEST_F(TrainCommand, ModelsHaveTheSameBytesForAnyNumberOfThreads) {
  for (const std::string options :
       {"", "--learner adagrad --factorization sibling", "--learner mira --prune off",
        "--l1 0.1 --factorization first --support candidates --root single"}) {
    SCOPED_TRACE(options);
    ASSERT_EQ(run("train --train train --dev dev --iterations 6 --model one --threads 1 " + options).status,
              0);
    ASSERT_EQ(run("train --train train --dev dev --iterations 6 --model two --threads 2 " + options).status,
              0);
    EXPECT_TRUE(read_file("one") == read_file("two"));
  }
}

TEST_F(TrainCommand, KilledRunsAreResumedToTheSameModel) {
  write_file("ambiguous", ToyGrammar(3, true).treebank(60));
  for (const std::string learner : {"lbfgs", "perceptron", "mira", "adagrad"}) {
    SCOPED_TRACE(learner);
    const std::vector<std::string> arguments = arguments_of_long_run(learner);
    ASSERT_EQ(run(joined(arguments)).status, 0);
    const std::string undisturbed = read_file("model");
    remove("model");
    for (const int iterations : {1, 20}) {
      remove("model.log.jsonl");
      BackgroundProgram program(folder(), arguments);
      ASSERT_TRUE(wait_for([&] { return iterations_so_far() >= iterations; })) << read_file("errors");
      program.send(SIGKILL);
      ASSERT_TRUE(WIFSIGNALED(program.wait()));
      ASSERT_FALSE(exists("model")) << "the run was too short for this test";
      const Outcome resumed = run(joined(arguments) + "--resume");
      ASSERT_EQ(resumed.status, 0) << resumed.errors;
      EXPECT_NE(resumed.errors.find("going on after iteration"), std::string::npos);
      EXPECT_TRUE(read_file("model") == undisturbed);
      EXPECT_EQ(log_of("start").size(), 2U);
      EXPECT_EQ(log_of("resumed").size(), 1U);
      remove("model");
    }
  }
}

TEST_F(TrainCommand, SignalsStopAfterAnIteration) {
  write_file("ambiguous", ToyGrammar(3, true).treebank(60));
  const std::vector<std::string> arguments = arguments_of_long_run("mira");
  for (const auto& [signal, exit_status] :
       {std::pair(SIGINT, 130), std::pair(SIGTERM, 75), std::pair(SIGUSR1, 75)}) {
    remove("model.log.jsonl");
    remove("model.checkpoint");
    BackgroundProgram program(folder(), arguments);
    ASSERT_TRUE(wait_for([&] { return iterations_so_far() >= 2; })) << read_file("errors");
    program.send(signal);
    const int status = program.wait();
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), exit_status);
    const std::string errors = read_file("errors");
    EXPECT_NE(errors.find("copse: stopping when this iteration is done"), std::string::npos) << errors;
    EXPECT_NE(errors.find("copse: stopped; the same command with --resume goes on"), std::string::npos)
        << errors;
    EXPECT_FALSE(exists("model"));
    EXPECT_EQ(log().back()["event"], "stopped");
  }
  EXPECT_EQ(run(joined(arguments) + "--resume").status, 0);
}

TEST_F(TrainCommand, CheckpointsOfOtherRunsAreRefused) {
  write_file("ambiguous", ToyGrammar(3, true).treebank(60));
  const std::vector<std::string> arguments = arguments_of_long_run("mira");
  {
    BackgroundProgram program(folder(), arguments);
    ASSERT_TRUE(wait_for([&] { return iterations_so_far() >= 2; })) << read_file("errors");
  }
  const Outcome other = run(joined(arguments) + "--seed 2 --resume");
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.errors.find("with other data or options"), std::string::npos) << other.errors;
  EXPECT_EQ(log().back()["event"], "error");
}

TEST_F(TrainCommand, ResumeWithoutCheckpointsStartsFromTheBeginning) {
  const Outcome outcome =
      run("train --train train --model model --iterations 2 --factorization first --resume");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("nothing to resume"), std::string::npos) << outcome.errors;
}

TEST_F(TrainCommand, ChoosesThePenaltyByDevelopmentData) {
  const Outcome outcome =
      run("train --train train --dev dev --model model --iterations 5 --factorization first --l2 auto");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* stage : {"l2 = 0.5", "l2 = 1.5", "l2 = 4", "l2 = 12"}) {
    EXPECT_NE(outcome.errors.find(stage), std::string::npos) << stage;
  }
  EXPECT_FALSE(exists("model.checkpoint"));
}

TEST_F(TrainCommand, UnwritablePathsAreFoundBeforeTraining) {
  // The training file is not even looked for.
  expect_one_line_error(run("train --train missing --model no/such/folder/model"), 1,
                        "no/such/folder/model: cannot write: No such file or directory");
  write_file("other.checkpoint", "a file");
  expect_one_line_error(run("train --train missing --model other"), 1,
                        "other.checkpoint: cannot make this folder");
  EXPECT_FALSE(exists("other"));
}

TEST_F(TrainCommand, BadDataIsStatusOne) {
  expect_one_line_error(run("train --train missing --model model"), 1, "missing: cannot open");
  write_file("broken", "1\ta\n");
  expect_one_line_error(run("train --train train --dev broken --model model"), 1,
                        "broken:1: 2 columns found");
  EXPECT_FALSE(exists("model.log.jsonl"));
  write_file("headless", "a\tX\t_\nb\tX\t_\n");
  const Outcome headless = run("train --train headless --model model");
  EXPECT_EQ(headless.status, 1);
  EXPECT_NE(headless.errors.find("copse: there is no sentence to learn from"), std::string::npos)
      << headless.errors;
  EXPECT_FALSE(exists("model"));
  EXPECT_FALSE(exists("model.checkpoint"));
}

TEST_F(TrainCommand, WrongUsageIsStatusTwo) {
  const std::string start = "train --train train --model model ";
  expect_one_line_error(run("train --model model"), 2, "--train is required; see `copse train --help`");
  expect_one_line_error(run("train --train train"), 2, "--model is required");
  expect_one_line_error(run("train --train train --model -"), 2, "--model: name a file");
  expect_one_line_error(run(start + "--factorization third"), 2, "--factorization must be first, sibling,");
  expect_one_line_error(run(start + "--learner sgd"), 2, "--learner must be lbfgs,");
  expect_one_line_error(run(start + "--l2 auto"), 2, "--l2: auto needs development data (--dev)");
  expect_one_line_error(run(start + "--l2 much"), 2,
                        "--l2: 'much' is neither a number from 0 to 1000000 nor auto");
  expect_one_line_error(run(start + "--learner mira --l2 1"), 2,
                        "--l2: the learner mira has no such penalty");
  expect_one_line_error(run(start + "--learner adagrad --l1 1"), 2, "--l1: the learner adagrad has no such");
  expect_one_line_error(run(start + "--prune 2"), 2, "--prune: '2' is neither a number from 0 to 1 nor off");
  expect_one_line_error(run(start + "--trees nonprojective"), 2,
                        "--trees: nonprojective needs --factorization first");
  expect_one_line_error(run(start + "--threads 0"), 2, "--threads must be between 1 and 1,024, not 0");
  expect_one_line_error(run("train --train - --dev - --model model"), 2, "--train: only one file can be");
}

}  // namespace
}  // namespace copse::testing
