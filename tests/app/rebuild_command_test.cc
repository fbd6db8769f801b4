// What `copse info --json` says of a model is enough to make it again.
#include <nlohmann/json.hpp>

#include "app/toy_program.h"

namespace copse::testing {
namespace {

class RebuildFromInfo : public ToyProgramTest {
 protected:
  // Every option of the model, as the command line has it.
  std::string options_of(const std::string& model) const {
    const nlohmann::ordered_json info = nlohmann::ordered_json::parse(run("info --json " + model).output);
    std::string options;
    for (const auto& [name, value] : info["options"].items()) {
      std::string option = " --" + name;
      std::replace(option.begin(), option.end(), '_', '-');
      if (value.is_boolean()) {
        if (value.get<bool>()) options += option;
      } else if (value.is_array()) {
        options += option;
        for (const auto& file : value) options += " " + file.get<std::string>();
      } else {
        options += option + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
      }
    }
    return options;
  }
  void expect_rebuilt(const std::string& options) {
    SCOPED_TRACE(options);
    const Outcome first = run("train --train ./train --model model --threads 2 " + options);
    ASSERT_EQ(first.status, 0) << first.errors;
    const std::string said = options_of("model");
    const Outcome second = run("train --model again --threads 1" + said);
    ASSERT_EQ(second.status, 0) << second.errors << said;
    EXPECT_TRUE(read_file("again") == read_file("model")) << said;
    EXPECT_EQ(options_of("again"), said);
  }
};

TEST_F(RebuildFromInfo, ModelsWithHashedFeatures) {
  expect_rebuilt("--dev dev --iterations 3");
  expect_rebuilt(
      "--dev dev --factorization sibling --learner adagrad --l2 0.5 --margin 0.5 --iterations 2 --patience 3 "
      "--root single --features paper --coarse none --support candidates --cutoff 2 --max-length 12 "
      "--max-features 5000 --prune 0.01 --prune-folds 3 --seed 7 --labels joint");
  expect_rebuilt("--learner mira --factorization first --iterations 2 --prune off --labels none");
  expect_rebuilt("--dev dev --factorization first --iterations 2 --l2 auto");
  expect_rebuilt("--factorization first --iterations 2 --pipeline --folds 3");
}

TEST_F(RebuildFromInfo, ModelsThatChooseWhatToDoWithCrossingArcs) {
  std::string crossing;
  for (int k = 0; k < 20; ++k) {
    crossing +=
        "1\ta\t_\tA\tA\t_\t0\tl\t_\t_\n2\tb\t_\tB\tB\t_\t1\tm\t_\t_\n3\tc\t_\tC\tC\t_\t1\tn\t_\t_\n"
        "4\td\t_\tD\tD\t_\t2\to\t_\t_\n\n";
  }
  write_file("train", crossing);
  expect_rebuilt("--iterations 4 --nonprojective auto");
  std::string unlabelled = crossing;
  for (const char* label : {"\tl\t", "\tm\t", "\tn\t", "\to\t"}) {
    for (std::size_t at; (at = unlabelled.find(label)) != std::string::npos;)
      unlabelled.replace(at, 3, "\t_\t");
  }
  write_file("train", unlabelled);
  expect_rebuilt("--iterations 4 --nonprojective auto");
}

TEST_F(RebuildFromInfo, Networks) {
  const std::string small =
      "--potentials network --size small --layers 1 --hidden 32 --arc-size 16 --label-size 8 --rank 16 "
      "--word-size 16 --spelling-size 16 ";
  expect_rebuilt(small + "--dev dev --iterations 2");
  expect_rebuilt(
      small +
      "--factorization first --loss local --rate 0.004 --dropout 0.2 --tag-weight 0.1 --batch 70 "
      "--batch-parts 3 --precision float --spelling characters --margin 0 --seed 5 --iterations 2");
  write_file("vectors", "2 3\ndog 0.1 0.2 0.3\nsees 1 -1 0\n");
  expect_rebuilt(small + "--vectors vectors --vector-words 1 --tags gold --iterations 1 --dev dev");
  expect_rebuilt(small + "--pipeline --folds 3 --iterations 1");
  expect_rebuilt(small + "--trees nonprojective --factorization first --iterations 1");
}

TEST_F(RebuildFromInfo, NetworksThatBeginWithAnEncoder) {
  std::string text;
  for (int k = 0; k < 200; ++k) text += "the dog sees a cat\na cat sleeps in the house\n";
  write_file("text", text);
  const Outcome encoder =
      run("pretrain --text text --output encoder --tokens spaces --min-count 1 --batch 200 --hidden 32 "
          "--layers 1 --word-size 16 "
          "--spelling-size 16 --passes 1");
  ASSERT_EQ(encoder.status, 0) << encoder.errors;
  expect_rebuilt(
      "--potentials network --encoder encoder --arc-size 16 --label-size 8 --rank 16 --iterations 1");
}

TEST_F(RebuildFromInfo, WhatNetworksAreLearntWithIsSaid) {
  const Outcome outcome =
      run("train --train train --model model --potentials network --size small --layers 1 --hidden 32 "
          "--arc-size 16 --label-size 8 --rank 16 --word-size 16 --spelling-size 16 --iterations 1 "
          "--rate 0.004 --batch 70");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const nlohmann::json options = nlohmann::json::parse(run("info --json model").output)["options"];
  EXPECT_EQ(options["rate"], 0.004);
  EXPECT_EQ(options["dropout"], 0.33);
  EXPECT_EQ(options["batch"], 70);
  EXPECT_EQ(options["batch_parts"], 4);
  EXPECT_EQ(options["hidden"], 32);
  EXPECT_EQ(options["device"], "cpu");
  const std::string text = run("info model").output;
  EXPECT_NE(text.find("batch parts          4\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace copse::testing
