// `copse parse --output DIR`: every file becomes one of its own.
#include <csignal>

#include "app/background_program.h"
#include "app/toy_program.h"
#include "io/compress_helpers.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

namespace fs = std::filesystem;

class ParseFolder : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    const Outcome outcome =
        run("train train --iterations 4 --model model --factorization first --pipeline --folds 2");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    fs::create_directories(folder() + "/in/deep");
    write_file("in/a.txt", "the dog sees the cat .\n\nthe cat sleeps .\n");
    write_file("in/deep/b.txt.gz", gzip_bytes("the dog sees\nthe tree .\n"));
    write_file("in/deep/c.conllu", read_file("dev"));
    write_file("in/none.txt", "");
    names_ = {{"a.txt", "a.conllu"},
              {"deep/b.txt.gz", "deep/b.conllu"},
              {"deep/c.conllu", "deep/c.conllu"},
              {"none.txt", "none.conllu"}};
  }

  // All outputs are what `copse parse` makes of each file.
  void expect_outputs(const std::string& options = "") const {
    for (const auto& [input, output] : names_) {
      ASSERT_TRUE(exists("out/" + output)) << output;
      EXPECT_EQ(read_file("out/" + output), run("parse --model model in/" + input + " " + options).output)
          << output;
    }
    EXPECT_FALSE(exists("out/.copse-parts"));
  }
  Outcome parse(const std::string& options = "") const {
    return run("parse --model model --input in --output out/ " + options);
  }

  // Of files that are not yet complete.
  int parts() const {
    std::error_code error;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder() + "/out/.copse-parts", error)) {
      const std::string name = entry.path().filename().string();
      if (name.find(".shard-") != std::string::npos && name.find(".tmp-") == std::string::npos) ++count;
    }
    return count;
  }

  std::map<std::string, std::string> names_;  // of inputs in `in` and outputs in `out`
};

TEST_F(ParseFolder, EveryFileBecomesOneOfItsOwn) {
  const Outcome outcome = parse();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  EXPECT_TRUE(outcome.errors.starts_with("copse: 4 files, 23 sentences, ")) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("before"), std::string::npos) << outcome.errors;
  expect_outputs();
  EXPECT_EQ(run("check out/deep/c.conllu out/a.conllu").status, 0);
}

TEST_F(ParseFolder, ASecondRunDoesWhatIsMissing) {
  ASSERT_EQ(parse().status, 0);
  const auto changed = fs::last_write_time(folder() + "/out/a.conllu");
  const Outcome nothing = parse("--threads 1");
  EXPECT_EQ(nothing.status, 0);
  EXPECT_TRUE(nothing.errors.starts_with("copse: 0 files, 0 sentences, 0 words in ")) << nothing.errors;
  EXPECT_NE(nothing.errors.find("; 4 files were complete before\n"), std::string::npos) << nothing.errors;
  remove("out/deep/c.conllu");
  const Outcome one = parse();
  EXPECT_TRUE(one.errors.starts_with("copse: 1 file, 20 sentences, ")) << one.errors;
  EXPECT_NE(one.errors.find("; 3 files were complete before\n"), std::string::npos) << one.errors;
  EXPECT_EQ(fs::last_write_time(folder() + "/out/a.conllu"), changed);
  expect_outputs();
}

TEST_F(ParseFolder, OtherSettingsAreRefused) {
  ASSERT_EQ(parse().status, 0);
  expect_one_line_error(parse("--kbest 2 --decode best --no-labels"), 1,
                        "out: was begun with another --kbest, --no-labels; give another folder or");
  ASSERT_EQ(run("train train --iterations 3 --model other --factorization first --pipeline --folds 2").status,
            0);
  expect_one_line_error(run("parse --model other --input in --output out"), 1,
                        "out: was begun with another --model; give another folder or");
  expect_outputs();
  EXPECT_EQ(parse("--no-labels --overwrite").status, 0);
  expect_outputs("--no-labels");
}

// Sentences of many files are parsed together.
TEST_F(ParseFolder, SmallFiles) {
  const std::vector<Sentence> sentences = read_text(toy_treebank(300, 7));
  fs::create_directories(folder() + "/small");
  std::vector<std::string> names;
  for (std::size_t k = 0; k < sentences.size();) {
    const std::size_t count = std::min(names.size() % 4, sentences.size() - k);  // none, too
    const auto first = sentences.begin() + static_cast<std::ptrdiff_t>(k);
    names.push_back(std::to_string(1000 + names.size()) + ".conllu");
    write_file("small/" + names.back(), write_text({first, first + static_cast<std::ptrdiff_t>(count)}));
    k += count;
  }
  ASSERT_GT(names.size(), 150U);
  write_file("all.conllu", write_text(sentences));
  const std::string all = run("parse --model model all.conllu --kbest 2").output;
  for (const std::string threads : {"1", "3"}) {
    remove("out");
    const Outcome outcome =
        run("parse --model model --input small --output out/ --kbest 2 --threads " + threads);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    std::string together;
    for (const std::string& name : names) {
      EXPECT_TRUE(exists("out/" + name));
      together += read_file("out/" + name);
    }
    EXPECT_TRUE(together == all);
  }
}

// Wherever a file is cut, the whole is the same; what depends on all that came before is not cut.
TEST_F(ParseFolder, ShardsAreTheWhole) {
  std::string text;
  for (int k = 0; k < 40; ++k)
    text += k % 3 == 0 ? "the dog sees the cat .\n\n" : "the cat sleeps . the dog\n";
  write_file("text.txt", text);
  write_file("trees.conllu", "\xEF\xBB\xBF" + read_file("dev") + "\n\n" + read_file("train"));
  struct Case {
    std::string input;
    std::string options;
    std::string output;
  };
  const std::vector<Case> cases = {{"text.txt", "", "text.conllu"},
                                   {"text.txt", "--no-headings", "text.conllu"},
                                   {"text.txt", "--input-format lines", "text.conllu"},
                                   {"text.txt", "--input-format tokens", "text.conllu"},
                                   {"text.txt", "--ranges", "text.conllu"},
                                   {"text.txt", "--sent-ids talk", "text.conllu"},
                                   {"trees.conllu", "", "trees.conllu"},
                                   {"trees.conllu", "--kbest 2 --probabilities", "trees.conllu"},
                                   {"trees.conllu", "--output-format conllx", "trees.conllx"},
                                   {"trees.conllu", "--output-format json", "trees.jsonl"},
                                   {"trees.conllu", "--output-format tree", "trees.txt"},
                                   {"trees.conllu", "--output-format html", "trees.html"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.input + " " + one.options);
    remove("out");
    const std::string whole =
        run("parse --model model " + one.input + " --output whole " + one.options).errors;
    EXPECT_EQ(whole, "");
    const Outcome outcome =
        run("parse --model model " + one.input + " --output out/ --shard-bytes 100 " + one.options);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    ASSERT_TRUE(exists("out/" + one.output));
    EXPECT_TRUE(read_file("out/" + one.output) == read_file("whole"));
  }
}

TEST_F(ParseFolder, BadFilesAreNamedAndCostNoOthers) {
  std::string bad;
  for (int k = 0; k < 30; ++k)
    bad += "# sent_id = " + std::to_string(k) + "\n1\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n\n";
  const std::string good = bad;
  bad += "1\tdog\n\n";
  write_file("in/bad.conllu", bad);
  const Outcome outcome = parse("--shard-bytes 200");
  expect_one_line_error(outcome, 1, "in/bad.conllu:91: 2 columns found");
  EXPECT_FALSE(exists("out/bad.conllu"));
  // Mended, it is parsed, too; files that were complete are left alone.
  write_file("in/bad.conllu", good);
  names_["bad.conllu"] = "bad.conllu";
  EXPECT_EQ(parse("--shard-bytes 200").status, 0);
  expect_outputs();
  expect_one_line_error(run("parse --model model --input in missing.txt --output out2/"), 1,
                        "missing.txt: cannot open");
  EXPECT_FALSE(exists("out2"));
}

// Messages say where a sentence stands in its file, whatever shard it was in.
TEST_F(ParseFolder, MessagesHaveTheLinesOfTheFile) {
  std::string text;
  for (int k = 0; k < 9; ++k) text += "1\ta\t_\tX\tX\t_\t0\t_\t_\t_\n\n";
  text += "1\ta\t_\tX\tX\t_\t2\t_\t_\t_\n2\tb\t_\tX\tX\t_\t1\t_\t_\t_\n\n";
  write_file("cycle.conllu", text);
  const Outcome outcome =
      run("parse --model model --input cycle.conllu --input-format conllu --output out/ --constraints "
          "--shard-bytes 60");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("copse: cycle.conllu:19: from byte "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("copse: 1 sentence with known heads that no tree has"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(read_file("out/cycle.conllu"),
            run("parse --model model --input cycle.conllu --input-format conllu --constraints").output);
}

TEST_F(ParseFolder, Names) {
  write_file("in/a.conllu", read_file("dev"));
  expect_one_line_error(parse(), 1,
                        "in/a.conllu and in/a.txt would both become out/a.conllu; parse them into different");
  EXPECT_FALSE(exists("out"));
  expect_one_line_error(run("parse --model model --input in/a.conllu --output in"), 1,
                        "in/a.conllu would be overwritten, and is read, too");
  expect_one_line_error(run("parse --model model --input in/deep/c.conllu --output in/deep"), 1,
                        "in/deep/c.conllu would be overwritten");
  expect_one_line_error(run("parse --model model --output out/", "text"), 1, "<stdin>: has no name");
  expect_one_line_error(run("parse --model model in/a.txt --output x.conllu --overwrite"), 2,
                        "--overwrite: ");
  EXPECT_EQ(run("parse --model model in/a.conllu --probabilities --output-format tab3 --output out/").status,
            0);
  EXPECT_TRUE(exists("out/a.dp"));
}

// A run that is killed leaves nothing half-written under a name that somebody waits for, and can go on.
TEST_F(ParseFolder, KilledRunsGoOn) {
  write_file("in/large.conllu", toy_treebank(2000, 5));
  names_["large.conllu"] = "large.conllu";
  for (const int signal : {SIGTERM, SIGKILL}) {
    SCOPED_TRACE(signal);
    remove("out");
    {
      BackgroundProgram program(folder(), {"parse", "--model", "model", "--input", "in", "--output", "out/",
                                           "--shard-bytes", "10000", "--threads", "1"});
      ASSERT_TRUE(wait_for([&] { return parts() >= 3; }));
      program.send(signal);
      const int status = program.wait();
      if (signal == SIGTERM) {
        ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 75) << status;
      } else {
        ASSERT_TRUE(WIFSIGNALED(status)) << status;
      }
    }
    EXPECT_FALSE(exists("out/large.conllu"));
    if (signal == SIGTERM) {
      for (const auto& entry : fs::recursive_directory_iterator(folder() + "/out")) {
        EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path();
      }
    }
    const Outcome rest = parse("--shard-bytes 10000");
    EXPECT_EQ(rest.status, 0) << rest.errors;
    EXPECT_EQ(rest.errors.find(" 2,023 sentences"), std::string::npos) << "everything was parsed again";
    expect_outputs();
  }
}

}  // namespace
}  // namespace copse::testing
