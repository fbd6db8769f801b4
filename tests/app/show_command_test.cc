#include <nlohmann/json.hpp>

#include "app/toy_program.h"
#include "render/xml_checker.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

const std::string kTwo =
    "# sent_id = one\n1\tBirds\t_\tNOUN\t_\t_\t2\tnsubj\t_\tP=0.6\n2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    "# sent_id = two\n1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n";

class ShowCommand : public ToyProgramTest {};

TEST_F(ShowCommand, HelpTeaches) { expect_help("show"); }

TEST_F(ShowCommand, DrawsTreesByDefault) {
  const Outcome outcome = run("show", kTwo);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.substr(0, 4), "one\n");
  EXPECT_NE(outcome.output.find("Birds  nsubj   60%"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("\n\ntwo\n"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find('\x1B'), std::string::npos);
  EXPECT_NE(run("show --colour always", kTwo).output.find('\x1B'), std::string::npos);
}

TEST_F(ShowCommand, ShowsTheSentencesAskedFor) {
  write_file("two", kTwo);
  const auto ids = [this](const std::string& range) {
    std::string found;
    const std::string output = run("show two two --format json --sentences " + range).output;
    for (size_t begin = 0; begin < output.size(); begin = output.find('\n', begin) + 1) {
      found += nlohmann::json::parse(output.substr(begin, output.find('\n', begin) - begin))["sent_id"];
    }
    return found;
  };
  EXPECT_EQ(ids("2"), "two");
  EXPECT_EQ(ids("2-3"), "twoone");
  EXPECT_EQ(ids("3-"), "onetwo");
  EXPECT_EQ(ids("5-"), "");
  for (const char* wrong : {"0", "3-2", "a", "-2", "1-x", "1,2"}) {
    expect_one_line_error(run("show two --sentences=" + std::string(wrong)), 2, "--sentences: '");
  }
}

TEST_F(ShowCommand, WritesFilesAndFolders) {
  write_file("two", kTwo);
  EXPECT_EQ(run("show two --format svg --output out.svg").output, "");
  EXPECT_EQ(xml_defect(read_file("out.svg")), "");
  EXPECT_EQ(run("show two --format svg --folder a/b").status, 0);
  EXPECT_EQ(xml_defect(read_file("a/b/000001.svg")), "");
  EXPECT_EQ(xml_defect(read_file("a/b/000002.svg")), "");
  EXPECT_FALSE(exists("a/b/000003.svg"));
  EXPECT_EQ(run("show two --folder a/b").status, 0);
  EXPECT_EQ(read_file("a/b/000002.txt").substr(0, 4), "two\n");
  expect_one_line_error(run("show two --folder two/b"), 1, "two/b: cannot make the folder");
  expect_one_line_error(run("show two --folder b --output c"), 2,
                        "--output and --folder cannot be used together");
}

TEST_F(ShowCommand, SentencesBeyondTheEndAreMissed) {
  expect_one_line_error(run("show --sentences 3", kTwo), 1,
                        "there are only 2 sentences; --sentences 3 is beyond the end");
  expect_one_line_error(run("show --sentences 3- --output out", kTwo), 1, "there are only 2 sentences");
  EXPECT_FALSE(exists("out"));
  const Outcome both = run("show --sentences 1-3", kTwo);
  EXPECT_EQ(both.status, 0);
  EXPECT_EQ(both.output, run("show", kTwo).output);
  EXPECT_EQ(both.errors, "copse: there are only 2 sentences; --sentences 1-3 goes beyond the end\n");
  EXPECT_EQ(run("show --sentences 2-", kTwo).errors, "");
  EXPECT_EQ(run("show --sentences 1-2", kTwo).errors, "");
  EXPECT_EQ(run("show", "").status, 0);
}

TEST_F(ShowCommand, ConvertsTreebanks) {
  EXPECT_EQ(run("show --format conllu", kTwo).output, kTwo);
  EXPECT_EQ(run("show --format tab3", kTwo).output, "Birds\tNOUN\t2\nsing\tVERB\t0\n\nYes\tINTJ\t0\n\n");
}

TEST_F(ShowCommand, ErrorsNameTheLine) {
  write_file("bad", "\n# c\n1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\t_\t_\tP=x\n");
  expect_one_line_error(run("show bad"), 1, "bad:2: word 2: 'x' is not a probability");
  EXPECT_EQ(run("show bad --format conllu").status, 0);
  write_file("cycle", "1\ta\t_\tX\t_\t_\t2\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\t_\t_\t_\n");
  expect_one_line_error(run("show cycle --format svg"), 1, "cycle:1: the heads form a cycle");
  expect_one_line_error(run("show cycle --format png"), 2,
                        "--format must be conllu, conllx, tab3, tree, svg, dot, json or html, not 'png'");
}

TEST_F(ShowCommand, ParseWritesAllFormats) {
  ASSERT_EQ(run("train --train train --iterations 5 --model model").status, 0);
  const auto parsed = [this](const std::string& options) {
    const Outcome outcome = run("parse --model model --input dev --probabilities " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.output;
  };
  const std::vector<Sentence> expected = read_text(parsed(""));
  EXPECT_EQ(read_text(parsed("--output-format conllu")), expected);
  EXPECT_EQ(read_text(parsed("--output-format conllx")).size(), expected.size());
  const std::string lost = "copse: conllx has no place for probabilities, which are left out; conllu and";
  const std::string options = "parse --model model --input dev --output-format conllx ";
  EXPECT_EQ(run(options + "--probabilities").errors.substr(0, lost.size()), lost);
  EXPECT_EQ(run(options + "--kbest 2").errors.substr(0, lost.size()), lost);
  EXPECT_EQ(run(options).errors, "");
  EXPECT_EQ(run("parse --model model --input dev --probabilities --output-format json").errors, "");
  const std::string json = parsed("--output-format json");
  EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), std::ssize(expected));
  const auto first = nlohmann::json::parse(json.substr(0, json.find('\n')));
  EXPECT_EQ(first["words"][0]["head"], expected[0][1].head());
  EXPECT_TRUE(first["words"][0]["head_probability"].is_number());
  EXPECT_TRUE(first["tree_entropy"].is_number());
  EXPECT_EQ(xml_defect(parsed("--output-format svg")), "");
  EXPECT_EQ(parsed("--output-format dot").substr(0, 9), "digraph \"");
  EXPECT_NE(parsed("--output-format html").find("</html>"), std::string::npos);
  EXPECT_NE(parsed("--output-format tree").find("log-probability"), std::string::npos);
  EXPECT_EQ(parsed("--output-format svg --output out.svg"), "");
  EXPECT_EQ(xml_defect(read_file("out.svg")), "");
}

}  // namespace
}  // namespace copse::testing
