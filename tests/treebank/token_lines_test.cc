#include "treebank/token_lines.h"

#include <gtest/gtest.h>

#include "treebank/conll_helpers.h"

namespace copse {
namespace {

TokenLineReader reader_of(const std::string& text, const TokenLineOptions& options = {}) {
  return {open_memory(text), "words", options};
}

std::vector<Sentence> read_lines(const std::string& text) {
  std::vector<Sentence> sentences;
  TokenLineReader reader = reader_of(text);
  for (Sentence sentence; reader.next(sentence);) sentences.push_back(sentence);
  return sentences;
}

TEST(TokenLines, LinesAreSentences) {
  const std::vector<Sentence> sentences = read_lines("\xEF\xBB\xBF  One  two\tthree \r\n\n   \nfour");
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(write_text(sentences),
            "# text = One two three\n"
            "1\tOne\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "2\ttwo\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3\tthree\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
            "# text = four\n"
            "1\tfour\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
}

TEST(TokenLines, NothingIsNothing) {
  EXPECT_TRUE(read_lines("").empty());
  EXPECT_TRUE(read_lines("\n\n").empty());
}

TEST(TokenLines, ErrorsHaveAPlace) {
  EXPECT_EQ(error_of([] {
              read_lines(
                  "good\nb\xFF"
                  "ad\n");
            }),
            "words:2: this is not valid UTF-8; convert the file");
  EXPECT_EQ(error_of([] { read_lines(std::string("a\0b", 3)); }),
            "words:1: a NUL has no place in text; remove it");
  TokenLineOptions options;
  options.max_words = 2;
  EXPECT_NE(error_of([&] {
              TokenLineReader reader = reader_of("a b\na b c\n", options);
              for (Sentence sentence; reader.next(sentence);) continue;
            }).find("words:2: the sentence has more than 2 words"),
            std::string::npos);
}

}  // namespace
}  // namespace copse
