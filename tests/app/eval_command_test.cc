#include <nlohmann/json.hpp>

#include "app/program.h"
#include "evaluation/evaluation_helpers.h"

namespace copse::testing {
namespace {

class EvalCommand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write_file("gold", kGoldDogs + "\n" + kGoldShout + "\n");
    write_file("system", kSystemDogs + "\n" + kSystemShout + "\n");
  }

  nlohmann::json report(const std::string& arguments) const {
    return nlohmann::json::parse(run("eval --json " + arguments).output);
  }
  void expect_mismatch(const std::string& system, const std::string& message) const {
    write_file("other", system);
    const Outcome outcome = run("eval --gold gold --system system other");
    expect_one_line_error(outcome, 1, message);
    EXPECT_EQ(outcome.output, "");
  }
};

TEST_F(EvalCommand, JsonHasEverything) {
  const nlohmann::json json = report("--gold gold --system system --punctuation ud --seed 4");
  EXPECT_EQ(json["gold"], "gold");
  EXPECT_EQ(json["punctuation"], "ud");
  EXPECT_EQ(json["subtypes"], "ignore");
  EXPECT_EQ(json["bootstrap"], 1000);
  EXPECT_EQ(json["seed"], 4);
  EXPECT_EQ(json["sentences"], 2);
  EXPECT_EQ(json["scored_sentences"], 1);
  EXPECT_EQ(json["words"], 8);
  EXPECT_EQ(json["scored_words"], 4);
  EXPECT_EQ(json["excluded_words"], 3);
  EXPECT_EQ(json["words_without_gold_head"], 1);
  const nlohmann::json& system = json["systems"].at(0);
  EXPECT_EQ(system["file"], "system");
  EXPECT_EQ(system["las"]["value"], 0.75);
  EXPECT_EQ(system["las"]["part"], 3);
  EXPECT_EQ(system["las"]["whole"], 4);
  EXPECT_EQ(system["uas"]["interval"], nlohmann::json::array({1.0, 1.0}));
  EXPECT_EQ(system["ra"]["whole"], 2);
  EXPECT_TRUE(system["against_first"].is_null());
  EXPECT_EQ(system["calibration"]["arcs"], 3);
  EXPECT_EQ(system["calibration"]["precision_curve"][0]["coverage"]["value"], 0.75);
}

TEST_F(EvalCommand, TextIsATable) {
  const Outcome outcome = run("eval --gold gold --system system gold --bootstrap 0 --trials 0");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.substr(0, outcome.output.find("\ncalibration")),
            "gold  gold\n"
            "[1]   system\n"
            "[2]   gold\n"
            "\n"
            "scored: 7 of 8 words, 2 of 2 sentences (punctuation: keep, label subtypes: ignore)\n"
            "words without a gold head: 1\n"
            "\n"
            "%              [1]                      [2]\n"
            "UAS          71.43                   100.00\n"
            "LAS          57.14                   100.00\n"
            "RA          100.00                   100.00\n"
            "CM           50.00                   100.00\n"
            "LCM          50.00                   100.00\n"
            "coverage     85.71                   100.00\n"
            "precision    83.33                   100.00\n");
  EXPECT_NE(outcome.output.find("\ncalibration of [1]: 4 arcs\n"), std::string::npos);
  EXPECT_EQ(outcome.output.find("calibration of [2]"), std::string::npos);
}

TEST_F(EvalCommand, LaterSystemsAreTestedAgainstTheFirst) {
  const nlohmann::json json = report("--gold gold --system system gold system --trials 99");
  ASSERT_EQ(json["systems"].size(), 3U);
  EXPECT_TRUE(json["systems"][0]["against_first"].is_null());
  EXPECT_DOUBLE_EQ(json["systems"][1]["against_first"]["uas"]["difference"], 2.0 / 7.0);
  EXPECT_DOUBLE_EQ(json["systems"][1]["against_first"]["las"]["difference"], 3.0 / 7.0);
  EXPECT_EQ(json["systems"][2]["against_first"]["las"]["difference"], 0.0);
  EXPECT_EQ(json["systems"][2]["against_first"]["las"]["p"], 1.0);
  const std::string text = run("eval --gold gold --system system gold").output;
  EXPECT_NE(text.find("UAS - [1]        -                   +28.57 (p = 1.0000)\n"), std::string::npos)
      << text;
}

TEST_F(EvalCommand, OptionsSwitchPartsOff) {
  const nlohmann::json json = report("--gold gold --system system gold --bootstrap 0 --trials 0 --bins 2");
  EXPECT_TRUE(json["systems"][0]["uas"]["interval"].is_null());
  EXPECT_TRUE(json["systems"][1]["against_first"].is_null());
  EXPECT_TRUE(json["systems"][1]["calibration"].is_null());
  EXPECT_EQ(json["systems"][0]["calibration"]["equal_width"].size(), 1U);
}

TEST_F(EvalCommand, FilesWithoutLabelsHaveNoLabelledScores) {
  write_file("tab3", "a\tX\t2\nb\tX\t0\n");
  const nlohmann::json json = report("--gold tab3 --system tab3 tab3");
  EXPECT_EQ(json["systems"][0]["uas"]["value"], 1.0);
  EXPECT_TRUE(json["systems"][0]["las"].is_null());
  EXPECT_TRUE(json["systems"][0]["lcm"].is_null());
  EXPECT_TRUE(json["systems"][1]["against_first"]["las"].is_null());
}

TEST_F(EvalCommand, SystemsMayHaveCyclesAndGoldMayNot) {
  write_file("tree", "a\tX\t2\nb\tX\t0\n");
  write_file("cycle", "a\tX\t2\nb\tX\t1\n");
  EXPECT_EQ(report("--gold tree --system cycle")["systems"][0]["uas"]["value"], 0.5);
  expect_one_line_error(run("eval --gold cycle --system tree"), 1, "cycle:1: the heads form a cycle");
}

TEST_F(EvalCommand, NothingToMeasureIsNull) {
  write_file("empty", "");
  const Outcome outcome = run("eval --gold empty --system empty empty");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("UAS              - [-, -]"), std::string::npos) << outcome.output;
  const nlohmann::json json = report("--gold empty --system empty empty");
  EXPECT_TRUE(json["systems"][0]["uas"]["value"].is_null());
  EXPECT_TRUE(json["systems"][1]["against_first"]["uas"]["difference"].is_null());
}

TEST_F(EvalCommand, DifferentWordsAreNamedWithTheLine) {
  const std::string start = "# a comment\n" + kSystemDogs + "\n";
  expect_mismatch(start +
                      "# text = !\n# more\n0.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n1-2\tr\t_\t_\t_\t_\t_\t_\t_\t_\n" +
                      row("1", "!", "_", "_", "0", "_") + row("2", "pst", "_", "_", "1", "_") + "\n",
                  "other:14: word 2 is 'pst', but 'psst' in gold:9; evaluate files with the same");
  expect_mismatch(start + row("1", "!", "_", "_", "0", "_"),
                  "other:9: the sentence has 1 word, but 2 in gold:8; evaluate files with the same sentences "
                  "and words, or "
                  "use `copse eval --aligned`");
}

TEST_F(EvalCommand, DifferentNumbersOfSentencesAreNamedWithTheLine) {
  expect_mismatch(kSystemDogs, "gold:8: this sentence is missing in other, which ends before; evaluate");
  expect_mismatch(kSystemDogs + "\n" + kSystemShout + "\n" + kSystemShout,
                  "other:11: this sentence is not in gold, which ends before; evaluate files");
}

TEST_F(EvalCommand, BadProbabilitiesAreNamedWithTheLine) {
  expect_mismatch(
      kSystemDogs + "\n" + row("1", "!", "_", "_", "0", "_") + row("2", "psst", "_", "_", "1", "_", "P=2"),
      "other:9: '2' is not a probability; write P= and a number");
  // What the gold file says about probabilities is not looked at.
  EXPECT_EQ(run("eval --gold other --system other").status, 1);
  EXPECT_EQ(run("eval --gold other --system system").status, 0);
}

TEST_F(EvalCommand, OneFileCanBeTheStandardInput) {
  const Outcome outcome = run("eval --gold - --system system", kGoldDogs + "\n" + kGoldShout);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.substr(0, 14), "gold  <stdin>\n");
  expect_one_line_error(run("eval --gold - --system -"), 2,
                        "--system: only one file can be the standard input");
}

TEST_F(EvalCommand, WrongUsageIsStatusTwo) {
  expect_one_line_error(run("eval --system system"), 2, "--gold is required; see `copse eval --help`");
  expect_one_line_error(run("eval --gold gold"), 2, "--system is required");
  expect_one_line_error(run("eval gold"), 2, "--system is required");
  EXPECT_EQ(run("eval gold system").output, run("eval --gold gold --system system").output);
  EXPECT_EQ(run("eval --gold gold system").output, run("eval --gold gold --system system").output);
  expect_one_line_error(run("eval --gold gold --system system --punctuation none"), 2,
                        "--punctuation must be keep, ptb, ctb, ud or unicode, not 'none'");
  expect_one_line_error(run("eval --gold gold --system system --bins 0"), 2,
                        "--bins must be between 1 and 1,000, not 0");
  expect_one_line_error(run("eval --gold gold --system missing"), 1, "missing: cannot open");
}

}  // namespace
}  // namespace copse::testing
