// Files as plain arguments, lines as sentences, headings, places in the text, and sent_ids.
#include "app/toy_program.h"
#include "copse/treebank/text_range.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

class SeveralInputs : public ToyProgramTest {
 protected:
  void SetUp() override {
    ToyProgramTest::SetUp();
    const Outcome outcome =
        run("train train --iterations 4 --model model --factorization first --pipeline --folds 2");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    write_file("a.txt", "the dog sees the cat .\n");
    write_file("b.txt", "the cat sleeps .\nthe dog sees\nthe tree .\n");
    write_file("c.conllu", read_file("dev"));
  }
  std::vector<Sentence> sentences(const std::string& arguments, const std::string& input = "") const {
    const Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.errors;
    ConllReadOptions any_heads;
    any_heads.validate_trees = false;
    return read_text(outcome.output, any_heads);
  }
  // Of the files one by one.
  std::vector<Sentence> apart(const std::string& command, const std::vector<std::string>& files) const {
    std::vector<Sentence> all;
    for (const std::string& file : files) {
      for (Sentence& sentence : sentences(command + " " + file)) all.push_back(std::move(sentence));
    }
    return all;
  }
};

void expect_same_words(const std::vector<Sentence>& found, const std::vector<Sentence>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].size(), expected[k].size());
    for (int word = 1; word <= found[k].size(); ++word) EXPECT_EQ(found[k][word], expected[k][word]);
  }
}

TEST_F(SeveralInputs, FilesOfAnyFormatBecomeOneOutput) {
  const std::vector<std::string> files = {"a.txt", "c.conllu", "b.txt"};
  for (const std::string command : {"parse --model model", "tag --model model"}) {
    SCOPED_TRACE(command);
    const std::vector<Sentence> all = sentences(command + " a.txt c.conllu b.txt");
    expect_same_words(all, apart(command, files));
    EXPECT_EQ(all.front().comment("newdoc id"), "a.txt");
    EXPECT_EQ(sentences(command + " a.txt").front().comment("newdoc id"), std::nullopt);
    expect_same_words(sentences(command + " --input a.txt c.conllu b.txt"), all);
    expect_same_words(sentences(command + " - c.conllu b.txt", read_file("a.txt")), all);
  }
  expect_same_words(sentences("segment --model model a.txt b.txt"),
                    apart("segment --model model", {"a.txt", "b.txt"}));
  EXPECT_EQ(sentences("select --model model a.txt c.conllu --most-uncertain 3").size(), 3U);
}

// Formats that differ become CoNLL-U; files of one format keep it.
TEST_F(SeveralInputs, TheFormatOfTheOutput) {
  ASSERT_EQ(run("convert dev --to conllx --output x.conllx").status, 0);
  const std::string x = run("parse --model model x.conllx").output;
  EXPECT_EQ(run("parse --model model x.conllx x.conllx").output, x + x);
  const std::string mixed = run("parse --model model x.conllx a.txt").output;
  EXPECT_EQ(read_text(mixed).back().layout().format, ConllFormat::conllu);
  EXPECT_EQ(run("show --format conllu", mixed).output, mixed);
}

TEST_F(SeveralInputs, ErrorsNameTheFile) {
  write_file("broken.conllu", "1\tHe\t_\t_\t_\t_\t_\t_\t_\n\n");
  const Outcome broken = run("parse --model model a.txt broken.conllu b.txt");
  expect_one_line_error(broken, 1, "broken.conllu:1: 9 columns found");
  EXPECT_EQ(read_text(broken.output).size(), 1U);  // what came before is there
  // A file that is not there is found missing before the work, and nothing is written.
  const Outcome missing = run("parse --model model a.txt missing");
  expect_one_line_error(missing, 1, "missing: cannot open");
  EXPECT_EQ(missing.output, "");
  expect_one_line_error(run("parse --model model a.txt ."), 1, ".: is a folder; name the files");
  expect_one_line_error(run("parse --model model - -"), 2,
                        "--model: only one file can be the standard input");
  write_file("cycle.conllu", "1\ta\t_\tX\tX\t_\t2\t_\t_\t_\n2\tb\t_\tX\tX\t_\t1\t_\t_\t_\n\n");
  const Outcome cycle = run("parse --model model a.txt b.txt cycle.conllu --constraints");
  EXPECT_NE(cycle.errors.find("cycle.conllu:1: sentence 1: no tree"), std::string::npos) << cycle.errors;
}

TEST_F(SeveralInputs, LinesAreSentences) {
  const std::vector<Sentence> lines = sentences("parse --model model b.txt --input-format lines");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].comment("text"), "the dog sees");
  EXPECT_EQ(sentences("segment --model model b.txt --input-format lines").size(), 3U);
  EXPECT_EQ(sentences("tag --model model b.txt --input-format lines").size(), 3U);
  expect_one_line_error(run("segment --model model --input-format tokens"), 2,
                        "--input-format must be text or lines, not 'tokens'");
}

TEST_F(SeveralInputs, RangesSayWhereTokensStand) {
  const std::string text = read_file("b.txt");
  for (const std::string command : {"parse", "tag", "segment"}) {
    int tokens = 0;
    for (const Sentence& sentence : sentences(command + " --model model b.txt --ranges")) {
      for (const Token& word : sentence.words()) {
        const std::optional<TextRange> range = text_range(word);
        ASSERT_TRUE(range);
        const auto begin = static_cast<std::size_t>(range->begin);
        EXPECT_EQ(text.substr(begin, static_cast<std::size_t>(range->end) - begin), word.form());
        ++tokens;
      }
    }
    EXPECT_EQ(tokens, 10) << command;
  }
  EXPECT_EQ(run("parse --model model b.txt").output.find("TokenRange"), std::string::npos);
}

TEST_F(SeveralInputs, SentencesGetIdsIfTheyHaveNone) {
  write_file("d.conllu", "# sent_id = mine\n1\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n\n");
  const std::vector<Sentence> all = sentences("parse --model model b.txt d.conllu a.txt --sent-ids talk");
  std::vector<std::string> ids;
  for (const Sentence& sentence : all) ids.emplace_back(sentence.sent_id().value_or("none"));
  ASSERT_GT(ids.size(), 2U);
  const auto count = std::to_string(ids.size());
  EXPECT_EQ(ids.front(), "talk-1");
  EXPECT_EQ(ids[ids.size() - 2], "mine");
  EXPECT_EQ(ids.back(), "talk-" + count);
  write_file("e.conllx", "1\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n\n");
  EXPECT_EQ(sentences("tag --model model e.conllx --sent-ids x").front().sent_id(), "x-1");
  expect_one_line_error(run("parse --model model --sent-ids 'a\nb'"), 2, "--sent-ids: this cannot be a part");
}

}  // namespace
}  // namespace copse::testing
