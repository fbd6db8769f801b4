#include <nlohmann/json.hpp>
#include <sstream>

#include "app/toy_program.h"

namespace copse::testing {
namespace {

class CrossingArcsOfTrain : public ToyProgramTest {
 protected:
  // Sentences with an arc that crosses another: word 4 hangs on word 2, past word 3, which hangs on word 1.
  static std::string crossing(int sentences, const std::string& label, int roots = 1) {
    std::string text;
    for (int k = 0; k < sentences; ++k) {
      const auto word = [&](int number, char form, int head) {
        const std::string tag(1, static_cast<char>(form - 'a' + 'A'));
        text += std::to_string(number) + "\t" + form + "\t_\t" + tag + "\t" + tag + "\t_\t" +
                std::to_string(head) + "\t" + (label == "_" ? "_" : label + tag) + "\t_\t_\n";
      };
      word(1, 'a', 0);
      word(2, 'b', 1);
      word(3, 'c', 1);
      word(4, 'd', 2);
      if (roots == 2) word(5, 'e', 0);
      text += "\n";
    }
    return text;
  }
  nlohmann::json choice() const {
    std::istringstream lines(read_file("model.log.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json event = nlohmann::json::parse(line);
      if (event["event"] == "crossing_arcs") return event;
    }
    return nullptr;
  }
  Outcome train(const std::string& options) const {
    return run("train --model model --iterations 12 --nonprojective auto " + options);
  }
  nlohmann::json info() const { return nlohmann::json::parse(run("info model --json").output); }
};

TEST_F(CrossingArcsOfTrain, NothingIsTriedWhereNothingCrosses) {
  const Outcome outcome = train("--train train --dev dev");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(choice()["way"], "best-match");
  EXPECT_EQ(choice()["nonprojective_trees"], 0);
  EXPECT_EQ(choice()["trees"], 60);
  EXPECT_TRUE(choice()["trials"].empty());
  const std::string with_auto = read_file("model");
  ASSERT_EQ(run("train --model model --iterations 12 --train train --dev dev").status, 0);
  EXPECT_TRUE(read_file("model") == with_auto);
}

TEST_F(CrossingArcsOfTrain, LabelsRememberWhereThereAreAny) {
  for (const int roots : {1, 2}) {
    for (const std::string dev : {"", " --dev crossing"}) {
      SCOPED_TRACE(std::to_string(roots) + dev);
      const std::string text = crossing(30, "l", roots);
      write_file("crossing", text);
      const Outcome outcome = train("--train crossing" + dev);
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
      EXPECT_EQ(choice()["way"], "pseudo");
      EXPECT_EQ(choice()["nonprojective_trees"], 30);
      ASSERT_EQ(choice()["trials"].size(), 3U);
      EXPECT_LT(choice()["trials"][0]["las"], 1.0);  // best-match
      EXPECT_EQ(choice()["trials"][1]["las"], 1.0);
      EXPECT_NE(outcome.errors.find("30 trees of 30 not projective: --nonprojective auto takes pseudo"),
                std::string::npos)
          << outcome.errors;
      EXPECT_EQ(info()["pseudo_projective"], true);
      EXPECT_EQ(run("parse --model model --input crossing").output, text);
    }
  }
}

TEST_F(CrossingArcsOfTrain, AllTreesAreConsideredWhereThereAreNoLabels) {
  const std::string text = crossing(30, "_");
  write_file("crossing", text);
  ASSERT_EQ(train("--train crossing").status, 0);
  EXPECT_EQ(choice()["way"], "nonprojective");
  EXPECT_EQ(choice()["trials"].size(), 2U);
  EXPECT_EQ(info()["trees"], "nonprojective");
  EXPECT_EQ(info()["factorization"], "first");
  EXPECT_EQ(run("parse --model model --input crossing").output, text);
  // A factorization that was asked for stays.
  ASSERT_EQ(train("--train crossing --factorization sibling").status, 0);
  EXPECT_EQ(choice()["way"], "best-match");
  EXPECT_EQ(info()["factorization"], "sibling");
}

TEST_F(CrossingArcsOfTrain, AChoiceIsTheSameForAnyNumberOfThreads) {
  write_file("both", toy_treebank(40, 3) + crossing(25, "l"));
  ASSERT_EQ(train("--train both --dev dev --threads 1").status, 0);
  const nlohmann::json one = choice();
  const std::string model = read_file("model");
  ASSERT_EQ(train("--train both --dev dev --threads 2").status, 0);
  EXPECT_EQ(choice()["way"], one["way"]);
  EXPECT_EQ(choice()["trials"], one["trials"]);
  EXPECT_TRUE(read_file("model") == model);
}

TEST_F(CrossingArcsOfTrain, OptionsMustGoTogether) {
  const Outcome outcome = train("--train train --factorization first --trees nonprojective");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("auto chooses the trees itself"), std::string::npos) << outcome.errors;
  EXPECT_EQ(run("train --train train --model model --nonprojective sometimes").status, 2);
}

}  // namespace
}  // namespace copse::testing
