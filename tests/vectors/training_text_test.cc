#include "vectors/training_text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "copse/error.h"

namespace copse::testing {
namespace {

using Sentences = std::vector<std::vector<std::string>>;

void add_all(TrainingText& text, const Sentences& sentences) {
  for (const auto& sentence : sentences) {
    for (const std::string& word : sentence) text.add(word);
    text.end_sentence();
  }
}

Sentences read_all(TrainingText& text, const TextVocabulary& vocabulary) {
  Sentences sentences;
  text.read([&](std::span<const std::uint32_t> numbers, std::uint64_t) {
    sentences.emplace_back();
    for (const std::uint32_t number : numbers) sentences.back().push_back(vocabulary.words.at(number));
    return true;
  });
  return sentences;
}

TEST(TrainingText, CountsAndGivesTheTextBack) {
  TrainingText text(::testing::TempDir());
  const Sentences sentences = {{"the", "dog", "sees", "the", "cat"}, {"the", "cat"}, {"rare"}, {"dog"}};
  add_all(text, sentences);
  EXPECT_EQ(text.words(), 9U);
  EXPECT_EQ(text.different_words(), 5U);
  const TextVocabulary& all = text.choose(1, 100);
  EXPECT_EQ(all.words, (std::vector<std::string>{"the", "dog", "cat", "sees", "rare"}));
  EXPECT_EQ(all.counts, (std::vector<std::uint64_t>{3, 2, 2, 1, 1}));
  EXPECT_EQ(all.total, 9U);
  EXPECT_EQ(read_all(text, all), sentences);
  EXPECT_EQ(read_all(text, all), sentences) << "a second time";
}

TEST(TrainingText, RareWordsAreLeftOut) {
  TrainingText text(::testing::TempDir());
  add_all(text, {{"a", "x", "b", "a"}, {"y"}, {"b"}, {}});
  const TextVocabulary& frequent = text.choose(2, 100);
  EXPECT_EQ(frequent.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(frequent.total, 4U);
  EXPECT_EQ(read_all(text, frequent), (Sentences{{"a", "b", "a"}, {"b"}}));
}

TEST(TrainingText, MostFrequentWords) {
  TrainingText text(::testing::TempDir());
  add_all(text, {{"a", "b", "b", "c", "c", "c"}});
  EXPECT_EQ(text.choose(1, 2).words, (std::vector<std::string>{"c", "b"}));
}

TEST(TrainingText, WhatCannotBeAWordIsLeftOut) {
  TrainingText text(::testing::TempDir());
  add_all(text, {{"", "a", "\xFF", "b\nc", std::string(100'000, 'x')}});
  EXPECT_EQ(text.words(), 1U);
  EXPECT_EQ(text.choose(1, 10).words, (std::vector<std::string>{"a"}));
}

TEST(TrainingText, LongSentencesComeInPieces) {
  TrainingText text(::testing::TempDir());
  const std::size_t length = 200'000;  // more than a buffer, too
  for (std::size_t k = 0; k < length; ++k) text.add("w" + std::to_string(k % 7));
  const TextVocabulary& vocabulary = text.choose(1, 10);
  std::size_t next = 0;
  std::uint64_t last_read = 0;
  text.read([&](std::span<const std::uint32_t> numbers, std::uint64_t words_read) {
    EXPECT_LE(numbers.size(), 1000U);
    for (const std::uint32_t number : numbers) {
      EXPECT_EQ(vocabulary.words[number], "w" + std::to_string(next++ % 7));
    }
    EXPECT_EQ(words_read, next);
    last_read = words_read;
    return true;
  });
  EXPECT_EQ(next, length);
  EXPECT_EQ(last_read, length);
}

TEST(TrainingText, StopsWhenToldTo) {
  TrainingText text(::testing::TempDir());
  add_all(text, {{"a"}, {"b"}, {"c"}});
  text.choose(1, 10);
  int calls = 0;
  text.read([&](std::span<const std::uint32_t>, std::uint64_t) { return ++calls < 2; });
  EXPECT_EQ(calls, 2);
}

// Words that come again and again survive, and so do their numbers in the file.
TEST(TrainingText, RarestWordsAreForgottenWhereThereAreTooMany) {
  TrainingText text(::testing::TempDir(), 50);
  for (int k = 0; k < 2000; ++k) {
    text.add("often");
    text.add("once" + std::to_string(k));
    text.add(k % 2 == 0 ? "even" : "odd");
    text.end_sentence();
    ASSERT_LE(text.different_words(), 50U);
  }
  const TextVocabulary& vocabulary = text.choose(2, 100);
  EXPECT_EQ(vocabulary.words, (std::vector<std::string>{"often", "even", "odd"}));
  EXPECT_EQ(vocabulary.counts, (std::vector<std::uint64_t>{2000, 1000, 1000}));
  const Sentences sentences = read_all(text, vocabulary);
  ASSERT_EQ(sentences.size(), 2000U);
  EXPECT_EQ(sentences[1999], (std::vector<std::string>{"often", "odd"}));
}

TEST(TrainingText, LeavesNoFileBehind) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "copse_training_text";
  std::filesystem::create_directory(folder);
  {
    TrainingText text(folder.string());
    add_all(text, {{"a", "b"}});
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    text.choose(1, 10);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
  EXPECT_THROW(TrainingText(folder.string()), DataError);
}

}  // namespace
}  // namespace copse::testing
