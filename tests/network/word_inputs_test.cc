#include "network/word_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace copse {
namespace {

Sentence one_word(const std::string& form) {
  Sentence sentence;
  sentence.add_word(form);
  return sentence;
}

// What a network that reads both is given of the only word, as texts; "?" is unknown.
std::vector<std::string> units_of(const std::string& form, const Sentence& training) {
  const Sentence* const sentences[] = {&training};
  const InputVocabularies vocabularies = count_inputs(sentences, {Spelling::both, false});
  NetworkShape shape;
  shape.spelling = Spelling::both;
  set_input_sizes(vocabularies, shape);
  InputReader reader(vocabularies, nullptr, shape);
  WordInputs inputs;
  reader.append(one_word(form), inputs);
  EXPECT_EQ(inputs.affixes.size(), 2 * kMostAffixes);
  std::vector<std::string> units;
  for (std::uint32_t k = inputs.character_begins[1]; k < inputs.character_begins[2]; ++k) {
    const std::uint32_t number = inputs.characters[k];
    units.push_back(number == Vocabulary::kUnknown ? "?" : vocabularies.characters[number]);
  }
  return units;
}

TEST(WordInputs, LettersThatComeOnceAreUnknown) {
  EXPECT_EQ(units_of("abc", one_word("aabbc")), (std::vector<std::string>{"a", "b", "?"}));
  // Unless there are no others.
  EXPECT_EQ(units_of("abx", one_word("abc")), (std::vector<std::string>{"a", "b", "?"}));
}

TEST(WordInputs, OfLongWordsTheEndsAreRead) {
  const Sentence training = one_word("aabbccddeeffgghhiijjkkllmmnnooppqqrrssttuuvvwwxxyyzz");
  std::string read;
  for (const std::string& unit : units_of("abcdefghijklmnopqrstuvwxyz", training)) read += unit;
  EXPECT_EQ(read, "abcdefghijqrstuvwxyz");
}

// Eight syllables of three letters each are too many.
TEST(WordInputs, OfManyLettersTheEndsAreRead) {
  const Sentence training = one_word("한한글글");
  const std::vector<std::string> units = units_of("한글한글한글한글", training);
  const std::vector<std::string> letters = {"\u1112", "\u1161", "\u11AB", "\u1100", "\u1173", "\u11AF"};
  ASSERT_EQ(units.size(), 20U);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(units[k], letters[k % 6]) << k;
    EXPECT_EQ(units[19 - k], letters[5 - k % 6]) << k;
  }
}

}  // namespace
}  // namespace copse
