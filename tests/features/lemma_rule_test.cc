#include "features/lemma_rule.h"

#include <gtest/gtest.h>

#include <random>

#include "inference/test_settings.h"
#include "text/letter_case.h"

namespace copse::testing {
namespace {

std::string transfer(std::string_view form, std::string_view lemma, std::string_view other) {
  return LemmaRule::between(form, lemma).apply(other);
}

TEST(LemmaRule, CarriesOverToOtherWords) {
  EXPECT_EQ(transfer("dogs", "dog", "trees"), "tree");
  EXPECT_EQ(transfer("cities", "city", "ladies"), "lady");
  EXPECT_EQ(transfer("running", "run", "sitting"), "sit");
  EXPECT_EQ(transfer("The", "the", "Old"), "old");
  EXPECT_EQ(transfer("dogs", "dog", "Trees"), "tree");  // common words are in lower case
  EXPECT_EQ(transfer("Alps", "Alp", "Andes"), "Ande");  // names keep theirs
  EXPECT_EQ(transfer("PARIS", "Paris", "LONDON"), "London");
  EXPECT_EQ(transfer("nasa", "NASA", "esa"), "ESA");
  EXPECT_EQ(transfer("nejlepší", "dobrý", "nejhorší"), "dobrý");  // nothing in common: taken as a whole
  EXPECT_EQ(transfer("nejmladší", "mladý", "nejslabší"), "slabý");
  EXPECT_EQ(transfer("Ärzte", "Arzt", "Ämter"), "Amte");
}

// Letters that stay between edits are not named, and syllables of Hangul are read letter by letter.
TEST(LemmaRule, CarriesOverSeveralEdits) {
  EXPECT_EQ(transfer("주관하고", "주관+하+고", "최하며"), "최+하+며");
  EXPECT_EQ(transfer("준다", "주+ㄴ다", "난다"), "나+ㄴ다");
  EXPECT_EQ(transfer("경기관광공사와", "경기+관광공사+와", "서울관광공사는"), "서울+관광공사+는");
  EXPECT_EQ(transfer("ανθρώπου", "άνθρωπος", "ανθρώπου"), "άνθρωπος");
  EXPECT_EQ(transfer("gesagt", "sagen", "gefragt"), "fragen");
  EXPECT_EQ(transfer("a|b", "a+|b", "c|d"), "c+|d");
}

// Text may be composed in another way than Unicode recommends, or not at all.
TEST(LemmaRule, OtherCompositionsAreKept) {
  EXPECT_EQ(transfer("cafe\u0301s", "cafe\u0301", "the\u0301s"), "the\u0301");
  EXPECT_EQ(transfer("\u0958\u0959", "\u0958", "\u0958\u0959"), "\u0958");
}

// Models of version 0.1 have them.
TEST(LemmaRule, ReadsRulesOfBefore) {
  EXPECT_EQ(LemmaRule::parse("l0\t\t3\ty")->apply("Cities"), "city");
  EXPECT_EQ(LemmaRule::parse("k3\tx\t1\t")->apply("nejlep\u0161\u00ed"), "xlep\u0161");
  EXPECT_EQ(LemmaRule::parse("k1\t\t1\t")->apply("ab"), "ab");
  EXPECT_EQ(LemmaRule::parse("l2\t\t2\t")->apply("Abc"), "Abc");
}

TEST(LemmaRule, AShorterWordStaysAsItIs) {
  EXPECT_EQ(transfer("running", "run", "ing"), "ing");
  EXPECT_EQ(transfer("dogs", "dog", "s"), "s");
  EXPECT_EQ(transfer("řekl", "říci", "é"), "é");
}

std::string random_word(std::mt19937_64& random) {
  static const std::vector<std::string> kLetters = {"a",  "b", "A", "B", "é",  "É",      "ж", "Ж",
                                                    "中", "1", "-", "ß", "갈", "\u0301", "|", "+"};
  std::string word;
  for (std::size_t length = 1 + random() % 6; length > 0; --length)
    word += kLetters[random() % kLetters.size()];
  return word;
}

TEST(LemmaRule, GivesTheLemmaBackAndSurvivesAsText) {
  for (int number = 0; number < scaled(3000); ++number) {
    SCOPED_TRACE(case_name(number));
    auto random = case_generator(number);
    const std::string form = random_word(random);
    const std::string lemma = random_word(random);
    const LemmaRule rule = LemmaRule::between(form, lemma);
    ASSERT_EQ(rule.apply(form), lemma) << form << " " << lemma << " " << rule.text();
    EXPECT_TRUE(rule.is_usable());
    ASSERT_EQ(LemmaRule::parse(rule.text()), rule);
    EXPECT_FALSE(rule.apply(random_word(random)).empty());
  }
  const std::string long_word(1000, 'x');
  EXPECT_EQ(transfer(long_word, long_word, "y"), "y");
  EXPECT_EQ(LemmaRule::between(long_word, "z").apply(long_word), "z");
}

TEST(LemmaRule, WrongTextIsNoRule) {
  for (const char* text :
       {"", "x", "l", "K", "K=", "K*|", "K|+", "K||", "Kx|", "W=|", "l1", "l1\ta", "l1\ta\tb\tc",
        "lx\ta\t1\tc", "l-1\ta\t1\tc", "l1\ta\t1\tc\td", "l99999999999\ta\t1\tc", "l1\ta\t1000\tc"}) {
    EXPECT_FALSE(LemmaRule::parse(text)) << text;
  }
  EXPECT_TRUE(LemmaRule::parse("l1\ta\t1\tc"));
  EXPECT_FALSE(LemmaRule::parse("w\xFF")->is_usable());
  EXPECT_FALSE(LemmaRule::parse("wa\nb")->is_usable());
  EXPECT_FALSE(LemmaRule::parse("w")->is_usable());
}

TEST(LetterCase, LettersOfSeveralScripts) {
  EXPECT_EQ(lowered("HELLO ÀÖØÞ ĀĎŐŽ ŸΆΣΩ ЁЖЯ ԱՖ Ａ ẞ"), "hello àöøþ āďőž ÿάσω ёжя աֆ ａ ß");
  EXPECT_EQ(uppered("hello àöøþ āďőž ÿάσω ёжя աֆ ａ"), "HELLO ÀÖØÞ ĀĎŐŽ ŸΆΣΩ ЁЖЯ ԱՖ Ａ");
  EXPECT_EQ(capitalised("éCOLE"), "École");
  const std::string others = "×÷ß中文 𝔸 -_.09ĸŉςİı";
  EXPECT_EQ(lowered(others), others);
}

TEST(LetterCase, PairsBelongTogether) {
  for (char32_t character = 0; character < 0x20000; ++character) {
    const char32_t lower = to_lower(character);
    if (lower != character && character != 0x1E9E) {
      EXPECT_EQ(to_upper(lower), character) << static_cast<unsigned>(character);
      EXPECT_EQ(to_lower(lower), lower) << static_cast<unsigned>(character);
    }
    const char32_t upper = to_upper(character);
    if (upper != character) {
      EXPECT_EQ(to_lower(upper), character) << static_cast<unsigned>(character);
    }
  }
}

}  // namespace
}  // namespace copse::testing
