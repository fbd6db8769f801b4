#include "segmentation/list_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "segmentation/segmented_toys.h"
#include "segmentation/segmenter.h"
#include "segmentation/surface_text.h"
#include "segmentation/text_of.h"

namespace copse::testing {
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

// Their words would otherwise be a few sentences of as many words as a block of text has.
TEST(Segmenter, LinesOfAListAreSentences) {
  const SegmenterModel model = toy_segmenter();
  std::string text = "The dog saw the cat.\n";
  std::string words;
  for (int k = 0; k < 3000; ++k) words += "word" + std::to_string(k % 7) + (k % 2 == 0 ? "a" : "bcd") + "\n";
  const std::vector<Sentence> sentences = segment_text(model, text + words + "\nThe cat saw the dog.\n");
  std::size_t longest = 0;
  for (const Sentence& sentence : sentences)
    longest = std::max(longest, static_cast<std::size_t>(sentence.size()));
  EXPECT_GE(sentences.size(), 3000U);
  EXPECT_LE(longest, 8U);
  EXPECT_EQ(text_of(sentences), text + words + "\nThe cat saw the dog.\n");
  // Paragraphs begin where empty lines end.
  EXPECT_EQ(sentences.front().comments().front(), "# newpar");
  std::size_t paragraphs = 0;
  for (const Sentence& sentence : sentences) {
    for (const std::string& comment : sentence.comments()) paragraphs += comment == "# newpar" ? 1 : 0;
  }
  EXPECT_EQ(paragraphs, 2U);
  // Only where headings are looked for, too.
  TextOptions as_space;
  as_space.lines = TextLines::space;
  EXPECT_LT(segment_text(model, words, as_space).size(), 3000U);
}

// However the bytes come.
TEST(Segmenter, ListsDoNotDependOnTheSizeOfReads) {
  const SegmenterModel model = toy_segmenter();
  std::string text;
  for (int k = 0; k < 2500; ++k) text += "item " + std::to_string(k) + (k % 3 == 0 ? " here\n" : "\n");
  const std::vector<Sentence> expected = segment_text(model, text);
  for (const std::size_t size : {1U, 7U, 4096U, 9000U}) {
    std::vector<Sentence> found;
    Segmenter segmenter(model, [&found](Sentence&& sentence) { found.push_back(std::move(sentence)); });
    for (std::size_t begin = 0; begin < text.size(); begin += size) segmenter.add(text.substr(begin, size));
    segmenter.finish();
    EXPECT_EQ(found, expected) << size;
  }
}

}  // namespace
}  // namespace copse::testing
