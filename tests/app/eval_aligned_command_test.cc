#include <nlohmann/json.hpp>

#include "app/program.h"
#include "evaluation/evaluation_helpers.h"

namespace copse::testing {
namespace {

std::string range(const std::string& id, const std::string& form) {
  return row(id, form, "_", "_", "_", "_");
}

class EvalAlignedCommand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write_file("gold", "# text = I don't .\n" + row("1", "I", "PRON", "PRP", "3", "nsubj") +
                           range("2-3", "don't") + row("2", "do", "AUX", "VB", "3", "aux") +
                           row("3", "not", "PART", "RB", "0", "root") + "3.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" +
                           row("4", ".", "PUNCT", ".", "3", "punct") + "\n");
    write_file("system", row("1", "I", "PRON", "PRP", "2", "nsubj") +
                             row("2", "don't", "AUX", "VB", "0", "root") + "\n" +
                             row("1", ".", "PUNCT", ".", "0", "root") + "\n");
  }
};

TEST_F(EvalAlignedCommand, TextIsATable) {
  const Outcome outcome = run("eval --aligned --gold gold --system system");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output,
            "gold  gold\n"
            "[1]   system\n"
            "\n"
            "% of [1]    precision   recall       F1  aligned\n"
            "Tokens         100.00   100.00   100.00\n"
            "Sentences        0.00     0.00     0.00\n"
            "Words           66.67    50.00    57.14\n"
            "UPOS            66.67    50.00    57.14   100.00\n"
            "XPOS            66.67    50.00    57.14   100.00\n"
            "UFeats          66.67    50.00    57.14   100.00\n"
            "AllTags         66.67    50.00    57.14   100.00\n"
            "Lemmas          66.67    50.00    57.14   100.00\n"
            "UAS              0.00     0.00     0.00     0.00\n"
            "LAS              0.00     0.00     0.00     0.00\n"
            "CLAS             0.00     0.00     0.00     0.00\n"
            "MLAS             0.00     0.00     0.00     0.00\n"
            "BLEX             0.00     0.00     0.00     0.00\n"
            "\n"
            "aligned: share of the aligned words\n");
}

TEST_F(EvalAlignedCommand, JsonHasSharesAndCounts) {
  const Outcome outcome = run("eval --aligned --json --gold - --system system gold", read_file("gold"));
  EXPECT_EQ(outcome.status, 0);
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["gold"], "<stdin>");
  EXPECT_EQ(json["aligned"], true);
  EXPECT_EQ(json["systems"].at(0)["file"], "system");
  const nlohmann::json& words = json["systems"][0]["words"];
  EXPECT_EQ(words["correct"], 2);
  EXPECT_EQ(words["gold"], 4);
  EXPECT_EQ(words["system"], 3);
  EXPECT_EQ(words["recall"], 0.5);
  EXPECT_TRUE(words["aligned"].is_null());
  EXPECT_TRUE(words["aligned_accuracy"].is_null());
  EXPECT_EQ(json["systems"][0]["clas"]["aligned"], 1);
  for (const char* measure : {"tokens", "sentences", "words", "upos", "xpos", "ufeats", "alltags", "lemmas",
                              "uas", "las", "clas", "mlas", "blex"}) {
    EXPECT_EQ(json["systems"].at(1)[measure]["f1"], 1.0) << measure;
  }
}

TEST_F(EvalAlignedCommand, ErrorsNameTheLine) {
  write_file("other", "# a\n" + range("1-2", "Ido") + row("1", "I", "_", "_", "0", "_") +
                          row("2", "do", "_", "_", "1", "_") + row("3", "nt", "_", "_", "1", "_"));
  expect_one_line_error(run("eval --aligned --gold gold --system other"), 1,
                        "other:5: the text goes on with 't'; that of gold:3 goes on with ''t.'; evaluate");
  write_file("other", "\n\n# a\n" + row("1", "I", "_", "_", "0", "_") + "1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" +
                          range("2-3", "don't") + row("2", "do", "_", "_", "0", "_") +
                          row("3", "nt", "_", "_", "1", "_"));
  expect_one_line_error(run("eval --aligned --gold gold --system other"), 1,
                        "other:7: word 2 'do' is a root beside word 1; aligned evaluation is for trees with");
  write_file("other", row("1", "I", "_", "_", "2", "_") + row("2", "do", "_", "_", "1", "_"));
  expect_one_line_error(run("eval --aligned --gold other --system gold"), 1,
                        "other:1: the heads form a cycle");
}

TEST_F(EvalAlignedCommand, OptionsOfTheOtherEvaluationAreRefused) {
  expect_one_line_error(run("eval --aligned --gold gold --system system --punctuation ud"), 2,
                        "--aligned and --punctuation cannot be used together");
  expect_one_line_error(run("eval --aligned --gold gold --system system --bootstrap 5"), 2,
                        "--aligned and --bootstrap cannot be used together");
}

}  // namespace
}  // namespace copse::testing
