#include "constituency/bracket_reader.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "constituency/bracket_helpers.h"
#include "io/compress_helpers.h"
#include "io/slow_source.h"
#include "io/temporary_folder.h"

namespace copse {
namespace {

const std::string kTwoTrees =
    "( (S \n"
    "    (NP-SBJ (NNP Ann) )\n"
    "    (VP (VBZ sings) )\n"
    "    (. .) ))\n"
    "\n"
    "( (NP (NN rain)) )\n";

std::vector<std::string> texts(const std::vector<ConstituentTree>& trees) {
  std::vector<std::string> texts;
  for (const ConstituentTree& tree : trees) texts.push_back(tree.to_text());
  return texts;
}

const std::vector<std::string> kTwoTexts = {"( (S (NP-SBJ (NNP Ann)) (VP (VBZ sings)) (. .)))",
                                            "( (NP (NN rain)))"};

TEST(BracketReader, ReadsTreesOfAnyLayout) {
  EXPECT_EQ(texts(trees_of(kTwoTrees)), kTwoTexts);
  std::string one_line = kTwoTrees;
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  EXPECT_EQ(texts(trees_of(one_line)), kTwoTexts);
  EXPECT_EQ(texts(trees_of("((S(NP-SBJ(NNP Ann))(VP(VBZ sings))(. .)))((NP(NN rain)))")), kTwoTexts);
  std::string crlf;
  for (const char c : kTwoTrees) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(texts(trees_of(crlf)), kTwoTexts);
  EXPECT_EQ(texts(trees_of("\xEF\xBB\xBF" + kTwoTrees)), kTwoTexts);
  EXPECT_EQ(texts(trees_of(gzip_bytes(kTwoTrees))), kTwoTexts);
  EXPECT_EQ(texts(trees_of(kTwoTrees.substr(0, kTwoTrees.size() - 1))), kTwoTexts);
}

TEST(BracketReader, SkipsTheMarkupOfTheChineseTreebank) {
  EXPECT_EQ(texts(trees_of(
                "<DOC>\n<DOCID> a b (c </DOCID>\n<S ID=1>\n( (IP (NN 雨)))\n</S>\n<S ID=2>\n(NN a)\n</S>")),
            (std::vector<std::string>{"( (IP (NN 雨)))", "(NN a)"}));
}

TEST(BracketReader, WordsMayLookLikeAnything) {
  EXPECT_EQ(tree_of("(X (-LRB- -LRB-) (`` ``) (# #) (CD 1\\/2) (NN <b>) (: :))").to_text(),
            "(X (-LRB- -LRB-) (`` ``) (# #) (CD 1\\/2) (NN <b>) (: :))");
}

TEST(BracketReader, FilesWithoutTreesHaveNone) {
  for (const std::string text : {"", "\n \t\r\n", "\xEF\xBB\xBF", "<DOC>\n</DOC>"}) {
    EXPECT_TRUE(trees_of(text).empty()) << ::testing::PrintToString(text);
  }
}

TEST(BracketReader, KnowsWhereATreeBegan) {
  BracketReader reader = BracketReader::from_text("\n" + kTwoTrees);
  ConstituentTree tree;
  ASSERT_TRUE(reader.next(tree));
  EXPECT_EQ(reader.first_line(), 2U);
  ASSERT_TRUE(reader.next(tree));
  EXPECT_EQ(reader.first_line(), 7U);
  EXPECT_FALSE(reader.next(tree));
  EXPECT_TRUE(tree.empty());
}

TEST(BracketReader, DoesNotDependOnHowBytesArrive) {
  for (const size_t step : {size_t{1}, size_t{2}, size_t{3}, size_t{7}}) {
    for (const std::string start : {"", "\xEF\xBB\xBF"}) {
      BracketReader reader(std::make_unique<SlowSource>(start + kTwoTrees, step), "slow");
      std::vector<ConstituentTree> trees;
      for (ConstituentTree tree; reader.next(tree);) trees.push_back(tree);
      EXPECT_EQ(texts(trees), kTwoTexts);
    }
  }
}

TEST(BracketReader, SaysWhatIsWrongAndWhere) {
  const auto expect = [](const std::string& text, const std::string& message) {
    EXPECT_EQ(bracket_error(text).substr(0, message.size()), message) << text;
  };
  expect("(S\n(NP (NN a))\n",
         "<text>:1: the tree that begins here is not closed at the end of the file; add 1 ')'");
  expect("(NN a)\n(S (NP (NN a",
         "<text>:2: the tree that begins here is not closed at the end of the file; add 3 ')'");
  expect("(S (", "<text>:1: the tree that begins here is not closed at the end of the file; add 2 ')'");
  expect("(", "<text>:1: the tree that begins here is not closed at the end of the file; add 1 ')'");
  expect("(NN a)\n)", "<text>:2: a ')' that closes nothing");
  expect("(NN a)\n\nb", "<text>:3: 'b' stands outside of any bracket");
  expect("\xEF\xBC\x88", "<text>:1: '（' stands outside of any bracket");
  expect("(NP\n(NN a\nb))", "<text>:3: 'b' follows the word 'a' in one bracket");
  expect("(NP (NN a (NN b)))", "<text>:1: a bracket follows the word 'a' inside its bracket");
  expect("(NP (DT the)\ndog)", "<text>:2: the word 'dog' stands beside brackets");
  expect("(S (NP ) (VP (VB a)))", "<text>:1: the bracket 'NP' is empty");
  expect("(S\n())", "<text>:2: an empty bracket");
  expect("( (S (NN a))\n( (S (NN b)) )",
         "<text>:2: a bracket without a label inside the tree that begins in line 1");
  expect("(NN \xFF)", "<text>:1: invalid UTF-8 in '\\xFF'");
  expect(std::string("(NN a\0b)", 8), "<text>:1: a NUL byte in 'a\\x00b'");
}

TEST(BracketReader, IsAtItsEndAfterAnError) {
  BracketReader reader = BracketReader::from_text("(NN a) x (NN b)");
  ConstituentTree tree;
  EXPECT_TRUE(reader.next(tree));
  EXPECT_NE(error_of([&] { reader.next(tree); }), "no error");
  EXPECT_FALSE(reader.next(tree));
}

TEST(BracketReader, HasLimits) {
  BracketReadOptions options;
  options.max_words = 2;
  EXPECT_EQ(trees_of("(S (A a) (B b))", options).size(), 1U);
  EXPECT_EQ(bracket_error("(S (A a)\n(B b)\n(C c))", options).substr(0, 63),
            "<text>:3: the tree that begins in line 1 has more than 2 words;");
  options.max_token_bytes = 3;
  EXPECT_EQ(trees_of("(ABC abc)", options).size(), 1U);
  EXPECT_EQ(bracket_error("(A abcd)", options).substr(0, 52),
            "<text>:1: a word or label is longer than 3 bytes; ch");
  options.max_tree_bytes = 20;
  EXPECT_EQ(trees_of("(S (A a) (B b)) (S (A a) (B b)) (S (A a) (B b))", options).size(), 3U);
  EXPECT_EQ(bracket_error("(S                    (A a))", options).substr(0, 55),
            "<text>:1: the tree that begins here is longer than 20 b");
}

TEST(BracketReader, DeepTreesNeedNoStack) {
  constexpr int kDepth = 1'000'000;
  std::string text;
  for (int k = 0; k < kDepth; ++k) text += "(S ";
  const std::string opened = text;
  text += "(NN a) (NN b)";
  text.append(kDepth, ')');
  const ConstituentTree tree = tree_of(text);
  EXPECT_EQ(tree.size(), kDepth + 2);
  EXPECT_EQ(tree.to_text(), text);
  EXPECT_EQ(to_dependencies(tree, ConversionRules::english()).heads(), (std::vector<int>{kNoHead, 2, 0}));
  EXPECT_EQ(bracket_error(opened).substr(0, 40), "<text>:1: the tree that begins here is n");
}

using BracketFile = TemporaryFolderTest;

TEST_F(BracketFile, IsNamedInMessages) {
  write(path("a.mrg"), kTwoTrees);
  EXPECT_EQ(texts(read_brackets(path("a.mrg"))), kTwoTexts);
  write(path("a.mrg"), "(NN a)\n(");
  EXPECT_EQ(error_of([&] { read_brackets(path("a.mrg")); }).substr(0, path("a.mrg").size() + 4),
            path("a.mrg") + ":2: ");
  EXPECT_NE(error_of([&] { read_brackets(path("none.mrg")); }).find("none.mrg"), std::string::npos);
}

}  // namespace
}  // namespace copse
