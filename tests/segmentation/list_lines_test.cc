#include "segmentation/list_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace copse {
namespace {

std::string list(const std::string& text, const ListContext& context = {}) {
  const LineRun run = find_list(text, context);
  return text.substr(run.begin, run.end - run.begin);
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += line;
  return text;
}

TEST(ListLines, ManyShortLines) {
  const std::string words = repeated("apple\nfig\n", 20);
  EXPECT_EQ(list(words), words);
  const std::string items = repeated("two apples\n1 kg of figs\r\n", 10);
  EXPECT_EQ(list(items), items);
  EXPECT_EQ(list("What I need today: it is not much.\n" + items + "That is all for today.\n"), items);
  // White space after the last item is its own.
  EXPECT_EQ(list(words + "\n \n"), words + "\n \n");
  EXPECT_EQ(list(words + "last"), words + "last");
}

TEST(ListLines, PartsOfLines) {
  const std::string words = repeated("apple\nfig\n", 20);
  EXPECT_EQ(list(words + "las", {true, false}), words);
  EXPECT_EQ(list("tree\nplum\nan", {true, true}), "tree\nplum\n");
  EXPECT_EQ(list("tree\nplum\nan"), "");
  EXPECT_EQ(list("The end.\ntree\nplum\n", {true, true}), "");
}

TEST(ListLines, WhatIsNone) {
  for (const std::string& text :
       {std::string(), std::string("\n"), repeated("apple\nfig\n", 19), repeated("two apples\nfigs\n", 9),
        repeated("Yes.\nNo!\n", 30), repeated("apples,\nfigs\n", 30),
        // Verse, and whatever else has long lines.
        repeated("There lived in a village a dog that would bark all night\nand sleep all day\n", 30),
        // Text with a token on each line.
        repeated("the\nold\ndog\nsleeps\nin\nthe\ngarden\n.\n", 30)}) {
    EXPECT_EQ(list(text), "") << text;
  }
}

// Running text that was broken where lines were full, without any punctuation.
TEST(ListLines, NoneInTextThatWasFilled) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    const std::size_t width = 24 + random() % 60;
    std::string text;
    std::size_t column = 0;
    for (int word = 0; word < 600; ++word) {
      const std::size_t length = 1 + random() % 12;
      if (column > 0 && column + 1 + length > width) {
        text += '\n';
        column = 0;
      }
      text += (column == 0 ? "" : " ") + std::string(length, 'a');
      column += (column == 0 ? 0 : 1) + length;
    }
    EXPECT_EQ(list(text), "") << text;
  }
}

}  // namespace
}  // namespace copse
