// The page about a training run.
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "app/background_program.h"
#include "app/toy_program.h"
#include "render/xml_checker.h"

namespace copse::testing {
namespace {

class TrainReport : public ToyProgramTest {
 protected:
  // A page that is complete in itself.
  std::string page(const std::string& name = "page.html") const {
    const std::string text = read_file(name);
    const std::string doctype = "<!DOCTYPE html>\n";
    EXPECT_TRUE(text.starts_with(doctype)) << text.substr(0, 100);
    EXPECT_EQ(xml_defect(text.substr(std::min(text.size(), doctype.size()))), "");
    for (const char* reference : {"http://", "https://", "src=", "url("}) {
      EXPECT_EQ(text.find(reference), std::string::npos) << reference;
    }
    EXPECT_EQ(text.find("nan"), std::string::npos);
    return text;
  }
  std::vector<nlohmann::json> iterations() const {
    std::vector<nlohmann::json> events;
    std::istringstream lines(read_file("model.log.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      nlohmann::json event = nlohmann::json::parse(line);
      if (event["event"] == "iteration") events.push_back(std::move(event));
    }
    return events;
  }
};

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(TrainReport, TellsTheStoryOfEveryLearner) {
  for (const std::string learner : {"lbfgs", "perceptron", "mira", "adagrad"}) {
    SCOPED_TRACE(learner);
    const Outcome outcome =
        run("train train --dev dev --model model --iterations 6 --factorization first --report "
            "page.html --learner " +
            learner);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const std::string text = page();
    for (const char* id : {"result", "curves", "calibration", "time", "data", "settings"}) {
      EXPECT_EQ(occurrences(text, std::string("<section id=\"") + id + "\">"), 1) << id;
    }
    for (const nlohmann::json& event : iterations()) {
      char objective[64];
      std::snprintf(objective, sizeof objective, "<title>iteration %d: %.6g</title>",
                    event["iteration"].get<int>(), event["objective"].get<double>());
      EXPECT_EQ(occurrences(text, objective), 1) << objective;
    }
    for (const char* expected :
         {"Training: model", "The run came to its end.", "UAS on development data: training", "Reliability",
          "preparing the training data", "learning labels", "Best in iteration"}) {
      EXPECT_NE(text.find(expected), std::string::npos) << expected;
    }
    EXPECT_NE(text.find("<th scope=\"row\">learner</th><td>" + learner + "</td>"), std::string::npos);
  }
}

TEST_F(TrainReport, TellsTheStoryOfPipelinesAndNetworks) {
  ASSERT_EQ(
      run("train train --dev dev --model model --iterations 3 --factorization first --pipeline --folds 2 "
          "--report page.html")
          .status,
      0);
  const std::string pipeline = page();
  for (const char* expected : {"Segmenter, tagger and labeller", "learning XPOS", "tagging fold 1 of 2",
                               "tags predicted: upos, dev data"}) {
    EXPECT_NE(pipeline.find(expected), std::string::npos) << expected;
  }
  const Outcome network =
      run("train train --dev dev --model network --potentials network --size small --layers 1 --hidden 32 "
          "--arc-size 16 --label-size 8 --rank 16 --word-size 16 --spelling-size 16 --iterations 3 --report "
          "n.html");
  ASSERT_EQ(network.status, 0) << network.errors;
  const std::string text = page("n.html");
  for (const char* expected : {"LAS on development data", "Reliability", "Objective: training"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
}

TEST_F(TrainReport, WithoutDevelopmentDataThereIsLessToTell) {
  ASSERT_EQ(run("train train --model model --iterations 3 --factorization first --report page.html").status,
            0);
  const std::string text = page();
  EXPECT_EQ(text.find("id=\"calibration\""), std::string::npos);
  EXPECT_EQ(text.find("development data: training"), std::string::npos);
  EXPECT_NE(text.find("Objective: training"), std::string::npos);
}

TEST_F(TrainReport, InterruptedRunsAreToldInOnePiece) {
  write_file("ambiguous", ToyGrammar(3, true).treebank(60));
  const std::vector<std::string> arguments = {
      "train",     "ambiguous", "--dev",     "dev", "--model", "model",  "--iterations", "30",
      "--learner", "mira",      "--threads", "1",   "--prune", "0.0001", "--report",     "page.html"};
  BackgroundProgram program(folder(), arguments);
  ASSERT_TRUE(wait_for([&] { return iterations().size() >= 2; })) << read_file("errors");
  program.send(SIGTERM);
  program.wait();
  ASSERT_FALSE(exists("model")) << "the run was too short for this test";
  EXPECT_NE(page().find("The run was stopped; `--resume` goes on with it."), std::string::npos);
  std::string line;
  for (const std::string& word : arguments) line += word + " ";
  // A line that was cut off when a program was killed does no harm.
  std::ofstream(folder() + "/model.log.jsonl", std::ios::app) << "{\"event\":\"iterat";
  const Outcome resumed = run(line + "--resume");
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  const std::string text = page();
  EXPECT_NE(text.find("The run came to its end. It was interrupted and resumed once."), std::string::npos);
  const std::string parser = text.substr(0, text.find("<details"));  // the labeller has iterations, too
  for (int iteration = 1; iteration <= 30; ++iteration) {
    const std::regex point("<title>iteration " + std::to_string(iteration) + ": [0-9.e+-]+</title>");
    EXPECT_EQ(
        std::distance(std::sregex_iterator(parser.begin(), parser.end(), point), std::sregex_iterator()), 1)
        << iteration;
  }
}

TEST_F(TrainReport, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  expect_one_line_error(run("train train --model model --report no/folder/page.html"), 1,
                        "no/folder/page.html");
  EXPECT_FALSE(exists("model.log.jsonl"));
  expect_one_line_error(run("train train --model model --report train"), 2,
                        "--report: 'train' would be overwritten");
  expect_one_line_error(run("train train --model model --report model"), 2,
                        "--report: name a file of its own");
  expect_one_line_error(run("train train --model model --report -"), 2, "--report: name a file of its own");
}

}  // namespace
}  // namespace copse::testing
