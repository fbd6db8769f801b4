// Models by name, and by the language of a text.
#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "text/utf8.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

// The same in Cyrillic letters.
std::string in_other_letters(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter >= 'a' && letter <= 'z') {
      append_character(U'\u0430' + static_cast<char32_t>(letter - 'a'), result);
    } else {
      result += letter;
    }
  }
  return result;
}

std::string with_other_forms(const std::string& treebank) {
  std::vector<Sentence> sentences = read_text(treebank);
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) word.set_form(in_other_letters(std::string(word.form())));
  }
  return write_text(sentences);
}

class ModelsCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    write_file("long-train", toy_treebank(400, 1));
    write_file("other-train", with_other_forms(toy_treebank(400, 1)));
    const std::string options = " --pipeline --factorization first --iterations 3 --folds 2 ";
    ASSERT_EQ(run_shell("mkdir models").status, 0);
    for (const std::string command :
         {"train --train long-train --dev dev --model models/toyish-x.copse --language Toyish --licence CC0",
          "train --train other-train --model models/other.copse --language Otherish"}) {
      const Outcome outcome = run(command + options);
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
    }
  }
  Outcome run_named(const std::string& arguments, const std::string& input = "") const {
    return run_shell("COPSE_MODEL_FOLDER=models \"$COPSE_BINARY\" " + arguments, input);
  }
  static std::vector<std::string> languages_of(const std::string& output) {
    std::vector<std::string> languages;
    for (const Sentence& sentence : read_text(output)) {
      if (const auto language = sentence.comment("language")) languages.emplace_back(*language);
    }
    return languages;
  }

  static std::string toyish() {
    std::string text;
    for (const Sentence& sentence : read_text(toy_treebank(12, 3))) {
      for (const Token& word : sentence.words()) text += std::string(word.form()) + " ";
    }
    return text;
  }
  const std::string toyish_ = toyish();
  const std::string otherish_ = in_other_letters(toyish_);
};

TEST_F(ModelsCommand, HelpTeaches) { expect_help("models"); }

TEST_F(ModelsCommand, ListsWhatCanBeNamed) {
  const Outcome table = run_named("models");
  EXPECT_EQ(table.status, 0) << table.errors;
  EXPECT_NE(table.output.find("toyish"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find("Otherish"), std::string::npos) << table.output;
  const auto json = nlohmann::json::parse(run_named("models --json").output);
  const auto found =
      std::find_if(json.begin(), json.end(), [](const auto& m) { return m["name"] == "toyish"; });
  ASSERT_NE(found, json.end()) << json;
  EXPECT_EQ((*found)["language"], "Toyish");
  EXPECT_EQ((*found)["licence"], "CC0");
  EXPECT_GT((*found)["dev_las"], 0.3);
  EXPECT_EQ((*found)["bytes"], read_file("models/toyish-x.copse").size());
  EXPECT_EQ(run_named("parse --model toyish", toyish_).output,
            run("parse --model models/toyish-x.copse", toyish_).output);
  // One that is damaged takes nothing from the others.
  write_file("models/broken.copse", "nonsense");
  const Outcome outcome = run_named("models");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("broken.copse"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.output.find("toyish"), std::string::npos) << outcome.output;
}

TEST_F(ModelsCommand, TextInAnotherLanguageIsReported) {
  EXPECT_EQ(run_named("parse --model toyish", toyish_ + " " + toyish_ + " " + toyish_).errors, "");
  const Outcome other = run_named("parse --model toyish", otherish_ + " " + otherish_ + " " + otherish_);
  EXPECT_EQ(other.status, 0);
  EXPECT_NE(other.errors.find("looks like Otherish, not like Toyish; try --model other,"), std::string::npos)
      << other.errors;
  EXPECT_NE(other.errors.find("passages of about 20 words are not in the language of the model"),
            std::string::npos)
      << other.errors;
  const std::string unknown = "\u4e16\u754c\u548c\u5e73\u4eba\u6c11\u5171\u548c\u56fd ";
  std::string text;
  for (int k = 0; k < 20; ++k) text += unknown;
  EXPECT_NE(run_named("parse --model toyish", text).errors.find("may be nonsense"), std::string::npos);
}

TEST_F(ModelsCommand, AutoChoosesByParagraph) {
  const std::string text = toyish_ + "\n\n" + otherish_ + "\n\n12.\n\n" + toyish_ + "\n";
  const Outcome outcome = run_named("parse --model auto --output-format conllu --sent-ids s", text);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(languages_of(outcome.output),
            (std::vector<std::string>{"Toyish", "Otherish", "Otherish", "Toyish"}));
  // Each paragraph is what its own model makes of it.
  const std::vector<Sentence> sentences = read_text(outcome.output);
  const std::vector<Sentence> alone = read_text(run_named("parse --model other", otherish_).output);
  std::size_t first = 0;
  while (sentences[first].comment("language") != "Otherish") ++first;
  for (std::size_t k = 0; k < alone.size(); ++k) {
    EXPECT_EQ(sentences[first + k].heads(), alone[k].heads());
    EXPECT_EQ(sentences[first + k].comment("text"), alone[k].comment("text"));
    EXPECT_EQ(sentences[first + k].comment("sent_id"), "s-" + std::to_string(first + k + 1));
  }
  // Neither threads nor several files change anything.
  EXPECT_EQ(run_named("parse --model auto --sent-ids s --threads 3", text).output, outcome.output);
  write_file("one.txt", toyish_);
  write_file("two.txt", otherish_);
  const Outcome files = run_named("parse --model auto one.txt two.txt");
  EXPECT_EQ(languages_of(files.output), (std::vector<std::string>{"Toyish", "Otherish"}));
  EXPECT_NE(files.output.find("# newdoc id = two.txt"), std::string::npos) << files.output;
}

// What is wrong with a model that nobody has asked for is no reason not to parse with others.
TEST_F(ModelsCommand, DamagedModelsBesideAreNoObstacle) {
  write_file("models/broken.copse", "nonsense");
  const Outcome other = run_named("parse --model toyish", otherish_ + " " + otherish_ + " " + otherish_);
  EXPECT_EQ(other.status, 0) << other.errors;
  EXPECT_NE(other.errors.find("looks like Otherish"), std::string::npos) << other.errors;
  EXPECT_EQ(languages_of(run_named("parse --model auto", otherish_).output),
            std::vector<std::string>{"Otherish"});
  // Nor are files of such names in the folder that one works in.
  ASSERT_EQ(run_shell("mkdir other").status, 0);
  EXPECT_EQ(languages_of(run_named("parse --model auto", otherish_).output),
            std::vector<std::string>{"Otherish"});
  // NAME.copse comes before NAME-x.copse.
  ASSERT_EQ(run_shell("cp models/toyish-x.copse models/toyish.copse").status, 0);
  EXPECT_NE(run_named("info toyish").output.find("toyish.copse"), std::string::npos);
}

// A paragraph without end is read in pieces, and is one paragraph all the same.
TEST_F(ModelsCommand, LongParagraphsKeepTheirLanguageAndOrder) {
  std::string text;
  while (text.size() < (std::size_t{300} << 10)) text += toyish_ + "\n";
  text += otherish_ + "\n" + toyish_ + "\n\n" + otherish_ + "\n";
  const Outcome outcome = run_named("parse --model auto", text);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(languages_of(outcome.output), (std::vector<std::string>{"Toyish", "Otherish"}));
  std::string words;
  for (const Sentence& sentence : read_text(outcome.output)) {
    for (const Token& word : sentence.words()) words += word.form();
  }
  std::string expected = text;
  std::erase_if(expected, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_TRUE(words == expected);
}

TEST_F(ModelsCommand, BeginningsWithFewLettersGoWithWhatFollows) {
  EXPECT_EQ(languages_of(run_named("parse --model auto", "2024\n\nthe\n\n" + otherish_).output),
            std::vector<std::string>(3, "Otherish"));
  EXPECT_EQ(languages_of(run_named("parse --model auto", "12\n\n" + in_other_letters("dog")).output),
            std::vector<std::string>(2, "Otherish"));
  EXPECT_EQ(run_named("parse --model auto", "\n\n12\n").status, 0);
}

TEST_F(ModelsCommand, AutoSaysWhatItCannot) {
  expect_one_line_error(run_named("parse --model auto --ranges", toyish_), 2, "--ranges: ");
  expect_one_line_error(run_named("parse --model auto --input-format conllu train"), 2,
                        "--model: auto is for text");
  expect_one_line_error(run_named("parse --model auto --output out/", toyish_), 2,
                        "--model: auto writes one file");
  expect_one_line_error(run_named("parse --model auto train"), 1, "train: looks like a treebank");
  expect_one_line_error(run_named("parse --model auto --output models/other.copse", toyish_), 2, "--output");
  expect_one_line_error(run_named("combine toyish --language-text long-train --output long-train"), 2,
                        "--output");
  const Outcome bad = run_named("parse --model auto", toyish_ + "\n\n\xff\n");
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.errors.find("<stdin>:3: invalid UTF-8"), std::string::npos) << bad.errors;
  EXPECT_NE(bad.output.find("# language = Toyish"), std::string::npos);
}

}  // namespace
}  // namespace copse::testing
