#include <nlohmann/json.hpp>

#include "app/toy_program.h"

namespace copse::testing {
namespace {

class InfoCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    ASSERT_EQ(run("train --train ./train --model model --factorization sibling --root single --iterations 3 "
                  "--features paper --l2 0.5")
                  .status,
              0);
  }
};

TEST_F(InfoCommand, HelpTeaches) { expect_help("info"); }

TEST_F(InfoCommand, JsonHasEverything) {
  const Outcome outcome = run("info model --json");
  EXPECT_EQ(outcome.status, 0);
  const nlohmann::json json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["file"], "model");
  EXPECT_EQ(json["bytes"], read_file("model").size());
  EXPECT_EQ(json["format_version"], 1);
  EXPECT_EQ(json["factorization"], "sibling");
  EXPECT_EQ(json["root"], "single");
  EXPECT_EQ(json["features"], "paper");
  EXPECT_EQ(json["coarse"], "treebank");
  EXPECT_GT(json["weights"], 0);
  EXPECT_EQ(json["pruner"]["threshold"], 0.0004);
  EXPECT_GT(json["pruner"]["weights"], 0);
  EXPECT_EQ(json["options"]["learner"], "lbfgs");
  EXPECT_EQ(json["options"]["l2"], 0.5);
  EXPECT_EQ(json["facts"]["training files"], "train");
  EXPECT_EQ(json["facts"]["training sentences"], "60");
  EXPECT_EQ(json["facts"]["program"].get<std::string>().substr(0, 6), "copse ");
}

TEST_F(InfoCommand, TextSaysTheSame) {
  const Outcome outcome = run("info model");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  for (const char* expected :
       {"file                 model\n", "factorization        sibling\n", "threshold 0.0004\n",
        "learner              lbfgs\n", "root                 single\n"}) {
    EXPECT_NE(outcome.output.find(expected), std::string::npos) << expected << outcome.output;
  }
}

TEST_F(InfoCommand, TheTemperatureIsListedOnce) {
  ASSERT_EQ(run("train --train train --dev dev --model model --factorization first --iterations 5").status,
            0);
  const std::string text = run("info model").output;
  const auto first = text.find("\ntemperature ");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("\ntemperature ", first + 1), std::string::npos) << text;
  const nlohmann::json json = nlohmann::json::parse(run("info model --json").output);
  EXPECT_NE(json["temperature"], 1.0);
  EXPECT_FALSE(json["facts"].contains("temperature"));
}

TEST_F(InfoCommand, ModelsWithoutPrunerSaySo) {
  ASSERT_EQ(run("train --train train --model model --factorization first --iterations 2").status, 0);
  EXPECT_TRUE(nlohmann::json::parse(run("info model --json").output)["pruner"].is_null());
  EXPECT_NE(run("info model").output.find("pruner               none\n"), std::string::npos);
}

TEST_F(InfoCommand, ModelsOfTheWrongKindSayWhatTheyAre) {
  ASSERT_EQ(run("tag --train train --model tags --iterations 1").status, 0);
  ASSERT_EQ(run("segment --train train --model segments --iterations 1").status, 0);
  write_file("text", "the dog sees the cat .\nthe cat sleeps .\n");
  ASSERT_EQ(run("vectors --text text --tokens spaces --min-count 1 --dimension 4 --output vectors").status,
            0);
  expect_one_line_error(
      run("parse --model tags", ""), 1,
      "tags: is a tagger, which `copse tag` takes; it has no parser: `copse train` makes one");
  expect_one_line_error(run("parse --model segments", ""), 1,
                        "segments: is a segmenter, which `copse segment` takes; it has no parser");
  expect_one_line_error(run("parse --model vectors", ""), 1,
                        "vectors: is a file of word vectors, which `copse train --vectors` takes");
  expect_one_line_error(
      run("tag --model segments", ""), 1,
      "segments: is a segmenter, which `copse segment` takes; it has no tagger: `copse tag");
  expect_one_line_error(run("segment --model model", ""), 1,
                        "model: is a parser, which `copse parse` takes; it has no segmenter: `copse segment");
  expect_one_line_error(run("combine model vectors --output all"), 1, "vectors: is a file of word vectors");
}

TEST_F(InfoCommand, BadFilesAreStatusOne) {
  expect_one_line_error(run("info missing"), 1, "missing: cannot open");
  expect_one_line_error(run("info train"), 1, "train: is not a Copse model");
  std::string damaged = read_file("model");
  damaged[damaged.size() - 100] ^= 1;
  write_file("damaged", damaged);
  const Outcome outcome = run("info damaged");
  expect_one_line_error(outcome, 1, "damaged: ");
  EXPECT_EQ(outcome.output, "");
}

}  // namespace
}  // namespace copse::testing
