#include <filesystem>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.h"
#include "evaluation/evaluation_helpers.h"

namespace copse::testing {
namespace {

class AnalyzeCommand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write_file("gold", kGoldDogs + "\n" + kGoldShout + "\n");
    write_file("system", kSystemDogs + "\n" + kSystemShout + "\n");
  }
};

TEST_F(AnalyzeCommand, WritesPageJsonAndCsv) {
  const Outcome outcome =
      run("analyze --gold gold --system mine=system gold --punctuation ud --output p.html --json j --csv c");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output + outcome.errors, "");
  EXPECT_TRUE(read_file("p.html").starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(read_file("c").starts_with("table,system,bin,measure,part,whole,value\n"));
  const nlohmann::json json = nlohmann::json::parse(read_file("j"));
  EXPECT_EQ(json["punctuation"], "ud");
  EXPECT_EQ(json["scored_words"], 4);
  ASSERT_EQ(json["systems"].size(), 2U);
  EXPECT_EQ(json["systems"][0]["name"], "mine");
  EXPECT_EQ(json["systems"][0]["file"], "system");
  EXPECT_EQ(json["systems"][1]["name"], "gold");
  EXPECT_EQ(json["systems"][0]["las"]["part"], 3);
  EXPECT_EQ(json["systems"][0]["calibration"]["arcs"], 3);
  EXPECT_TRUE(json["systems"][1]["calibration"].is_null());
  EXPECT_EQ(json["breakdowns"].size(), 9U);
  EXPECT_EQ(json["breakdowns"]["dependency_length"][0]["bin"], "1");
  EXPECT_EQ(json["worst_sentences"][0]["systems"][0]["wrong_labels"], 1);
}

TEST_F(AnalyzeCommand, PageGoesToTheStandardOutputUnlessAFileIsNamed) {
  EXPECT_TRUE(run("analyze --gold gold --system system").output.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(run("analyze --gold gold --system system --json -").output.starts_with("{"));
  EXPECT_TRUE(
      run("analyze --gold gold --system A=- --csv -", read_file("system")).output.starts_with("table,"));
  EXPECT_EQ(run("analyze --gold gold --system system --json j").output, "");
}

// The figures are those of `copse eval`, wherever they are written.
TEST_F(AnalyzeCommand, IntervalsAndTestsAreThoseOfEval) {
  const std::string files = "--gold gold --system system gold --bootstrap 300 --trials 500 --seed 7 ";
  const nlohmann::json expected = nlohmann::json::parse(run("eval " + files + "--json").output);
  const Outcome outcome = run("analyze " + files + "--json j --csv c --output p.html");
  EXPECT_EQ(outcome.errors, "");
  const nlohmann::json json = nlohmann::json::parse(read_file("j"));
  EXPECT_EQ(json["trials"], 500);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(json["systems"][k]["uas"], expected["systems"][k]["uas"]);
    EXPECT_EQ(json["systems"][k]["las"]["interval"], expected["systems"][k]["las"]["interval"]);
    EXPECT_EQ(json["systems"][k]["against_first"], expected["systems"][k]["against_first"]);
  }
  const nlohmann::json interval = expected["systems"][0]["uas"]["interval"];
  ASSERT_EQ(interval.size(), 2U);
  EXPECT_LT(interval[0], interval[1]);
  const std::string page = read_file("p.html");
  const auto percent = [](const nlohmann::json& share) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << 100 * share.get<double>();
    return text.str();
  };
  EXPECT_NE(page.find("[" + percent(interval[0]) + ", " + percent(interval[1]) + "]"), std::string::npos);
  const double p = json["systems"][1]["against_first"]["uas"]["p"];
  EXPECT_NE(page.find("p = " + std::to_string(p).substr(0, 6)), std::string::npos) << p;
  EXPECT_NE(read_file("c").find("\nintervals,system,,uas_lower,,,"), std::string::npos);
  EXPECT_NE(read_file("c").find("\nagainst_first,gold,,las_p,,,"), std::string::npos);
}

TEST_F(AnalyzeCommand, NoRoundsNoIntervals) {
  const std::string files = "analyze --gold gold --system system gold --bootstrap 0 --trials 0 ";
  const nlohmann::json json = nlohmann::json::parse(run(files + "--json -").output);
  EXPECT_TRUE(json["systems"][0]["uas"]["interval"].is_null());
  EXPECT_TRUE(json["systems"][1]["against_first"].is_null());
  const std::string page = run(files).output;
  EXPECT_EQ(page.find("class=\"range\""), std::string::npos);
  EXPECT_EQ(page.find("randomisation"), std::string::npos);
}

TEST_F(AnalyzeCommand, FilesThatDoNotMatch) {
  write_file("other", kSystemDogs + "\n");
  expect_one_line_error(run("analyze --gold gold --system other --output p.html"), 1,
                        "gold:8: this sentence is missing in other, which ends before; ");
  write_file("words", kGoldDogs + "\n" + row("1", "?", "X", "X", "0", "root") + "\n");
  expect_one_line_error(run("analyze --gold gold --system words --output p.html"), 1,
                        "words:8: word 1 is '?', but '!' in gold:8; ");
  EXPECT_EQ(read_file("p.html"), "");
}

TEST_F(AnalyzeCommand, FilesWithoutASentence) {
  write_file("empty", "");
  expect_one_line_error(run("analyze --gold empty --system empty"), 1, "empty: there is no sentence; ");
  expect_one_line_error(run("analyze --gold gold --system missing"), 1, "missing: ");
}

TEST_F(AnalyzeCommand, BadUsage) {
  expect_one_line_error(run("analyze --gold gold"), 2, "--system is required");
  expect_one_line_error(run("analyze --gold gold --system =system"), 2,
                        "--system: '=system' is not NAME=FILE");
  expect_one_line_error(run("analyze --gold gold --system a=system a=gold"), 2,
                        "--system: 'a' is the name of two systems");
  expect_one_line_error(run("analyze --gold - --system -"), 2, "--system: only one file");
  expect_one_line_error(run("analyze --gold gold --system system --json - --csv -"), 2,
                        "--output: only one of");
  expect_one_line_error(run("analyze --gold gold --system system --sentences -1"), 2,
                        "--sentences must be between 0 and");
}

TEST_F(AnalyzeCommand, APathMayHaveAnEqualsSign) {
  write_file("a=b", kSystemDogs + "\n" + kSystemShout + "\n");
  const nlohmann::json json =
      nlohmann::json::parse(run("analyze --gold gold --system ./a=b --json -").output);
  EXPECT_EQ(json["systems"][0]["name"], "a=b");
}

TEST_F(AnalyzeCommand, WhatIsReadIsNotOverwritten) {
  for (const std::string option : {"--output", "--json", "--csv"}) {
    for (const std::string file : {"gold", "./system"}) {
      const std::string before = read_file(file);
      expect_one_line_error(run("analyze --gold gold --system system " + option + " " + file), 2,
                            option + ": '" + file + "' would be overwritten, and is read, too");
      EXPECT_EQ(read_file(file), before);
    }
  }
}

}  // namespace
}  // namespace copse::testing
