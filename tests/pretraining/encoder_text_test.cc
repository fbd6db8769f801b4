// Texts that encoders learn from: what becomes of words, forms and sentences.
#include "pretraining/encoder_text.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "network/word_inputs.h"
#include "text/letter_case.h"

namespace copse {
namespace {

using Sentences = std::vector<std::vector<std::string>>;
constexpr std::size_t kRows = 61;

void add_all(EncoderText& text, const Sentences& sentences) {
  for (const auto& sentence : sentences) {
    for (const std::string& word : sentence) text.add(word);
    text.end_sentence();
  }
}

// Numbers of words, sentence by sentence, of all windows.
std::vector<std::vector<std::uint32_t>> words_of(const EncoderText& text) {
  std::vector<std::vector<std::uint32_t>> sentences;
  TextWindow window;
  for (std::size_t number = 0; number < text.windows(); ++number) {
    text.read(number, window);
    for (std::size_t k = 0; k < window.sentences(); ++k) {
      sentences.emplace_back();
      for (const std::uint32_t form : window.sentence(k)) sentences.back().push_back(text.word(form));
    }
  }
  return sentences;
}

NetworkShape shape_of_text(Spelling spelling = Spelling::affixes) {
  NetworkShape shape;
  shape.affix_rows = kRows;
  shape.spelling = spelling;
  return shape;
}

std::vector<std::uint32_t> affixes_of(const std::string& form) {
  std::vector<std::uint32_t> affixes(kAffixes);
  find_affixes(form, lowered(form), kRows, affixes);
  return affixes;
}

TEST(EncoderText, WordsAreInLowerCaseAndFormsAreNot) {
  EncoderText text(::testing::TempDir(), shape_of_text());
  add_all(text, {{"The", "dog", "sees", "THE", "Dog"}, {}, {"the", "cat"}});
  EXPECT_EQ(text.words(), 7U);
  const TextVocabulary& vocabulary = text.choose(2, 10);
  EXPECT_EQ(vocabulary.words, (std::vector<std::string>{"the", "dog"}));
  EXPECT_EQ(vocabulary.counts, (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(words_of(text), (std::vector<std::vector<std::uint32_t>>{{1, 2, 0, 1, 2}, {1, 0}}));
  TextWindow window;
  text.read(0, window);
  const std::vector<std::string> forms = {"The", "dog", "sees", "THE", "Dog"};
  for (std::size_t k = 0; k < forms.size(); ++k) {
    const auto affixes = text.affixes(window.sentence(0)[k]);
    EXPECT_EQ(std::vector(affixes.begin(), affixes.end()), affixes_of(forms[k])) << forms[k];
  }
  EXPECT_NE(affixes_of("The"), affixes_of("THE")) << "they differ in shape";
}

TEST(EncoderText, CharactersThatSeveralFormsHaveAreKnown) {
  EncoderText text(::testing::TempDir(), shape_of_text(Spelling::both));
  add_all(text, {{"ab", "abc", "\uac00b", "ab"}});
  text.choose(1, 10);
  // By how many forms have them; Hangul by its letters, each of one form alone here.
  ASSERT_EQ(text.characters().size(), 3U);
  EXPECT_EQ(text.characters()[1], "b");
  EXPECT_EQ(text.characters()[2], "a");
  TextWindow window;
  text.read(0, window);
  const auto units = [&](std::size_t word) {
    const auto found = text.characters(window.sentence(0)[word]);
    return std::vector<int>(found.begin(), found.end());
  };
  EXPECT_EQ(units(0), (std::vector<int>{2, 1}));
  EXPECT_EQ(units(1), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(units(2), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(units(3), units(0));
  EXPECT_EQ(text.affixes(window.sentence(0)[0]).size(), kMostAffixes);
}

TEST(EncoderText, WordsOfTheTreebankCount) {
  EncoderText text(::testing::TempDir(), shape_of_text());
  add_all(text, {{"a", "a", "b", "c"}});
  text.count("B", 5);
  text.count("never", 2);
  EXPECT_EQ(text.choose(2, 10).words, (std::vector<std::string>{"b", "a", "never"}));
  EXPECT_EQ(words_of(text), (std::vector<std::vector<std::uint32_t>>{{2, 2, 1, 0}}));
}

TEST(EncoderText, ForgottenFormsAreUnknownAndKeepTheirSpelling) {
  EncoderText text(::testing::TempDir(), shape_of_text(), 4);
  add_all(text, {{"often", "often", "often", "Rare1", "Rare2", "Rare3", "Rare4", "often"}});
  text.choose(1, 100);
  const auto sentences = words_of(text);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_NE(sentences[0][0], 0U);
  EXPECT_EQ(sentences[0][0], sentences[0][7]);
  EXPECT_EQ(sentences[0][3], 0U) << "forgotten";
  TextWindow window;
  text.read(0, window);
  const auto affixes = text.affixes(window.sentence(0)[3]);
  EXPECT_EQ(std::vector(affixes.begin(), affixes.end()), affixes_of("Rare1"));
}

TEST(EncoderText, LongSentencesComeInPieces) {
  EncoderText text(::testing::TempDir(), shape_of_text());
  add_all(text, {std::vector<std::string>(2 * EncoderText::kLongestSentence + 1, "word"), {"word"}});
  text.choose(1, 10);
  std::vector<std::size_t> lengths;
  for (const auto& sentence : words_of(text)) lengths.push_back(sentence.size());
  EXPECT_EQ(lengths,
            (std::vector<std::size_t>{EncoderText::kLongestSentence, EncoderText::kLongestSentence, 1, 1}));
}

TEST(EncoderText, WindowsAreOfAboutTheSameSizeAndHaveEverything) {
  EncoderText text(::testing::TempDir(), shape_of_text());
  Sentences sentences;
  for (std::size_t k = 0; k < 100; ++k) {
    sentences.emplace_back(1 + k % 7, "w" + std::to_string(k));
  }
  add_all(text, sentences);
  text.choose(1, 1000, 60);
  EXPECT_EQ(text.windows(), (text.words() + 30) / 60);
  std::size_t words = 0;
  std::vector<std::size_t> lengths;
  for (std::size_t number = 0; number < text.windows(); ++number) {
    TextWindow window;
    text.read(number, window);
    EXPECT_LE(window.forms.size(), 75U);
    words += window.forms.size();
    for (std::size_t k = 0; k < window.sentences(); ++k) lengths.push_back(window.sentence(k).size());
  }
  EXPECT_EQ(words, text.words());
  ASSERT_EQ(lengths.size(), sentences.size());
  for (std::size_t k = 0; k < lengths.size(); ++k) EXPECT_EQ(lengths[k], sentences[k].size()) << k;
}

TEST(EncoderText, WithoutWordsThereIsNothingToLearn) {
  EncoderText empty(::testing::TempDir(), shape_of_text());
  EXPECT_THROW(empty.choose(1, 10), DataError);
  EncoderText rare(::testing::TempDir(), shape_of_text());
  add_all(rare, {{"a", "b"}});
  EXPECT_THROW(rare.choose(2, 10), DataError);
}

TEST(EncoderText, FingerprintsTellTextsApart) {
  const auto fingerprint = [](const Sentences& sentences) {
    EncoderText text(::testing::TempDir(), shape_of_text());
    add_all(text, sentences);
    text.choose(1, 10);
    return text.fingerprint();
  };
  const std::uint64_t one = fingerprint({{"a", "b"}, {"a"}});
  EXPECT_EQ(fingerprint({{"a", "b"}, {"a"}}), one);
  EXPECT_NE(fingerprint({{"a", "b", "a"}}), one);
  EXPECT_NE(fingerprint({{"a", "c"}, {"a"}}), one);
}

}  // namespace
}  // namespace copse
