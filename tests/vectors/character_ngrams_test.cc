#include "vectors/character_ngrams.h"

#include <gtest/gtest.h>

#include <set>

namespace copse::testing {
namespace {

TextVocabulary vocabulary_of(std::vector<std::string> words) {
  std::vector<std::uint64_t> counts(words.size(), 5);
  return {std::move(words), counts, 0};
}

// The n-grams that words have in common are found by their definition, pair by pair.
std::set<std::string> ngrams_of(const std::vector<std::string>& characters, int shortest, int longest) {
  std::set<std::string> found;
  const auto size = static_cast<int>(characters.size());
  for (int first = 0; first < size; ++first) {
    std::string text;
    for (int last = first; last < size && last - first < longest; ++last) {
      text += characters[static_cast<std::size_t>(last)];
      if (last - first + 1 >= shortest) found.insert(text);
    }
  }
  return found;
}

TEST(CharacterNgrams, SharedOnesOnly) {
  const CharacterNgrams parts(vocabulary_of({"walking", "talking", "of"}), {3, 6});
  // alk lki kin ing ng>, alki lkin king ing>, alkin lking king>, alking lking>
  EXPECT_EQ(parts.rows(), 3U + 14U);
  ASSERT_EQ(parts.rows_of(0).size(), 1U + 14U);
  EXPECT_EQ(parts.rows_of(0)[0], 0U);
  EXPECT_EQ(parts.rows_of(1)[0], 1U);
  EXPECT_EQ(std::vector<std::uint32_t>(parts.rows_of(2).begin(), parts.rows_of(2).end()),
            (std::vector<std::uint32_t>{2}));
  for (std::size_t k = 1; k < 15; ++k) {
    EXPECT_EQ(parts.rows_of(0)[k], parts.rows_of(1)[k]);
    EXPECT_GE(parts.rows_of(0)[k], 3U);
    EXPECT_LT(parts.rows_of(0)[k], 17U);
  }
}

TEST(CharacterNgrams, CharactersAreNotBytes) {
  const std::vector<std::vector<std::string>> words = {{"<", "m", "ä", "ß", ">"},
                                                       {"<", "g", "ä", "ß", ">"},
                                                       {"<", "木", "ß", ">"},
                                                       {"<", "木", "木", "木", ">"}};
  const CharacterNgrams parts(vocabulary_of({"mäß", "gäß", "木ß", "木木木"}), {2, 3});
  std::map<std::string, int> words_with;
  for (const auto& word : words) {
    for (const std::string& ngram : ngrams_of(word, 2, 3)) ++words_with[ngram];
  }
  std::set<std::uint32_t> rows;
  for (std::size_t word = 0; word < words.size(); ++word) {
    std::size_t expected = 1;
    for (const std::string& ngram : ngrams_of(words[word], 2, 3)) expected += words_with[ngram] > 1 ? 1 : 0;
    EXPECT_EQ(parts.rows_of(word).size(), expected) << word;
    rows.insert(parts.rows_of(word).begin(), parts.rows_of(word).end());
  }
  EXPECT_EQ(rows.size(), parts.rows());
  EXPECT_EQ(*rows.rbegin(), parts.rows() - 1);
}

TEST(CharacterNgrams, NoneIfNotWanted) {
  const CharacterNgrams parts(vocabulary_of({"walking", "talking"}), {0, 0});
  EXPECT_EQ(parts.rows(), 2U);
  EXPECT_EQ(parts.rows_of(1).size(), 1U);
}

TEST(CharacterNgrams, MostFrequentFirst) {
  TextVocabulary vocabulary = vocabulary_of({"abc", "abd", "xyz", "xyw"});
  vocabulary.counts = {1, 1, 9, 9};
  const CharacterNgrams parts(vocabulary, {3, 3});
  EXPECT_EQ(parts.rows_of(2).back(), 4U);  // <xy
  EXPECT_EQ(parts.rows_of(0).back(), 5U);  // <ab
}

}  // namespace
}  // namespace copse::testing
