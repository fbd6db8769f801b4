#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "app/background_program.h"
#include "app/toy_program.h"
#include "io/compress_helpers.h"

namespace copse::testing {
namespace {

// Sentences in lines, words between spaces.
std::string toy_text(int sentences) {
  std::mt19937_64 random(1);
  const std::vector<std::string> animals = {"dog", "cat", "horse", "mouse"};
  const std::vector<std::string> verbs = {"sees", "hunts", "wakes", "finds"};
  std::string text;
  for (int k = 0; k < sentences; ++k) {
    text +=
        "The " + animals[random() % 4] + " " + verbs[random() % 4] + " a " + animals[random() % 4] + " .\n";
    if (k % 10 == 9) text += "\n";
  }
  return text;
}

class VectorsCommand : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    write_file("text", toy_text(600));
  }
  Outcome learn(const std::string& options, const std::string& output = "out",
                const std::string& input = "") const {
    return run(
        "vectors --dimension 12 --min-count 2 --passes 2 --tokens spaces --output " + output + " " + options,
        input);
  }
};

TEST_F(VectorsCommand, HelpTeaches) { expect_help("vectors"); }

TEST_F(VectorsCommand, LearnsAndWritesText) {
  const Outcome outcome = learn("--text text");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("out: 11 words, 12 values each"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.errors.find("reading the text"), std::string::npos);
  EXPECT_NE(outcome.errors.find("pass 2 of 2"), std::string::npos) << outcome.errors;
  const Outcome text = run("vectors --from out --format text --output words.vec");
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_EQ(text.errors, "");
  const std::string vec = read_file("words.vec");
  EXPECT_TRUE(vec.starts_with("11 12\n")) << vec;
  EXPECT_EQ(std::count(vec.begin(), vec.end(), '\n'), 12);
  EXPECT_NE(vec.find("\nthe "), std::string::npos) << vec;
  EXPECT_EQ(vec.find("\nThe "), std::string::npos) << vec;
  // There and back, values stay what they are but for the last digit that is printed.
  EXPECT_EQ(run("vectors --from words.vec --output again").status, 0);
  EXPECT_EQ(run("vectors --from again --format text --output again.vec").status, 0);
  std::istringstream before(vec);
  std::istringstream after(read_file("again.vec"));
  for (std::string word, same; before >> word;) {
    ASSERT_TRUE(after >> same);
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end == '\0')
      EXPECT_NEAR(std::strtod(same.c_str(), nullptr), value, 1e-3 * std::abs(value));
    else
      EXPECT_EQ(same, word);
  }
  EXPECT_EQ(run("vectors --from words.vec --max-words 3 --output few").output.substr(0, 12), "few: 3 words");
}

TEST_F(VectorsCommand, KeepsCaseIfAsked) {
  EXPECT_EQ(learn("--text text --keep-case --format text").status, 0);
  EXPECT_NE(read_file("out").find("\nThe "), std::string::npos);
}

TEST_F(VectorsCommand, TheSameForAnyNumberOfThreadsAndForCompressedText) {
  EXPECT_EQ(learn("--text text --threads 1", "one").status, 0);
  EXPECT_EQ(learn("--text text --threads 3", "three").status, 0);
  EXPECT_TRUE(read_file("one") == read_file("three"));
  const auto vectors = [this](const std::string& file) {
    EXPECT_EQ(run("vectors --format text --output t --from " + file).status, 0);
    return read_file("t");
  };
  write_file("text.zst", zstd_bytes(toy_text(600)));
  write_file("text.gz", gzip_bytes(toy_text(600)));
  EXPECT_EQ(learn("--text text.zst", "zst").status, 0);
  EXPECT_EQ(learn("--text text.gz", "gz").status, 0);
  EXPECT_EQ(learn("--text -", "pipe", toy_text(600)).status, 0);
  for (const char* file : {"zst", "gz", "pipe"}) EXPECT_EQ(vectors(file), vectors("one")) << file;
  EXPECT_EQ(learn("--text text --seed 2", "seed").status, 0);
  EXPECT_NE(vectors("seed"), vectors("one"));
}

TEST_F(VectorsCommand, WordsAreThoseOfTheSegmenter) {
  write_file("raw", "They didn't see it. We didn't, either.\n\nI didn't.");
  const std::string model = "\"$COPSE_MODELS\"/english-ewt.copse";
  const Outcome outcome = run("vectors --text raw --min-count 2 --format text --output out --model " + model);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const std::string vec = read_file("out");
  for (const char* word : {"\ndid ", "\nn't ", "\n. "}) {
    EXPECT_NE(vec.find(word), std::string::npos) << word << " in " << vec;
  }
}

TEST_F(VectorsCommand, InfoSaysHowTheyWereMade) {
  EXPECT_EQ(learn("--text text --seed 7").status, 0);
  const Outcome text = run("info out");
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_NE(text.output.find("11 words"), std::string::npos) << text.output;
  const auto json = nlohmann::json::parse(run("info out --json").output);
  EXPECT_EQ(json["vectors"]["words"], 11);
  EXPECT_EQ(json["vectors"]["dimension"], 12);
  EXPECT_EQ(json["vectors"]["facts"]["seed"], "7");
  EXPECT_EQ(json["vectors"]["facts"]["case"], "lower");
}

TEST_F(VectorsCommand, WrongUsageIsOneLineAndStatus2) {
  const auto expect_usage = [this](const std::string& arguments, const std::string& message) {
    expect_one_line_error(run("vectors " + arguments), 2, message);
  };
  expect_usage("--text text", "--output");
  expect_usage("--output out", "--text: either");
  expect_usage("--text text --from text --output out", "--text: either");
  expect_usage("--from text --window 2 --output out", "--window: is for learning");
  expect_usage("--from text --threads 2 --output out", "--threads: is for learning");
  expect_usage("--text text --output text", "--output: 'text' would be overwritten");
  expect_usage("--text text --output -", "--output: vectors go to a file");
  expect_usage("--text - - --output out", "--text: only one");
  expect_usage("--text text --output out --tokens spaces --model m", "--model: has the segmenter");
  expect_usage("--text text --output out --dimension 0", "--dimension");
  expect_usage("--text text --output out --dimension 5000", "--dimension");
  expect_usage("--text text --output out --ngrams 6 3", "--ngrams: the shortest");
  expect_usage("--text text --output out --rate nan", "--rate");
  expect_usage("--text text --output out --format json", "--format");
  expect_usage("--text text --output out --max-words 0", "--max-words");
  EXPECT_FALSE(exists("out"));
}

TEST_F(VectorsCommand, BadDataIsOneLineAndStatus1) {
  write_file("empty", "");
  write_file("latin", "one\ntwo \xE4\n");
  write_file("broken.vec", "2 2\na 1 2\nb 1\n");
  write_file("nan.vec", "a 1 nan\n");
  const auto errors_last_line = [](const Outcome& outcome) {
    const std::size_t before = outcome.errors.rfind('\n', outcome.errors.size() - 2);
    return before == std::string::npos ? outcome.errors : outcome.errors.substr(before + 1);
  };
  const auto expect_error = [&](const Outcome& outcome, const std::string& message) {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(errors_last_line(outcome).starts_with("copse: " + message)) << outcome.errors;
    EXPECT_FALSE(exists("out"));
  };
  expect_error(learn("--text empty"), "the text has no word that comes 2 times");
  expect_error(learn("--text latin"), "latin:2: invalid UTF-8");
  expect_error(learn("--text missing"), "missing: cannot open");
  expect_error(learn("--text text", "no/folder/out"), "no/folder/out");
  expect_error(run("vectors --text text --model missing.copse --output out"), "missing.copse");
  expect_one_line_error(run("vectors --from broken.vec --output out"), 1,
                        "broken.vec:3: 1 values instead of 2");
  expect_one_line_error(run("vectors --from nan.vec --output out"), 1, "nan.vec:1: 'nan'");
  expect_one_line_error(run("vectors --from empty --output out"), 1, "empty: is empty");
  expect_one_line_error(run("vectors --from missing --output out"), 1, "missing: cannot open");
  EXPECT_FALSE(exists("out"));
}

TEST_F(VectorsCommand, CtrlCLeavesNothingBehind) {
  write_file("long", toy_text(5000));
  BackgroundProgram program(folder(), {"vectors", "--text", "long", "--tokens", "spaces", "--passes", "1000",
                                       "--output", "out", "--threads", "1"});
  ASSERT_TRUE(wait_for([this] { return read_file("errors").find("learning") != std::string::npos; }));
  program.send(SIGINT);
  const int status = program.wait();
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_NE(read_file("errors").find("copse: stopped; nothing is saved"), std::string::npos)
      << read_file("errors");
  EXPECT_FALSE(exists("out"));
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".copse")) << entry.path();
  }
}

}  // namespace
}  // namespace copse::testing
