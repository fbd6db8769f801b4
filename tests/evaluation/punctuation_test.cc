#include "evaluation/punctuation.h"

#include <gtest/gtest.h>

#include "evaluation/evaluation_helpers.h"
#include "treebank/head_probability.h"

namespace copse::testing {
namespace {

Token word(const std::string& form, const std::string& upos, const std::string& xpos,
           const std::string& misc = "_") {
  return sentence_of(row("1", form, upos, xpos, "0", "root", misc))[1];
}

TEST(Punctuation, KeepScoresEverything) {
  EXPECT_FALSE(is_punctuation(word(".", "PUNCT", "."), Punctuation::keep));
}

TEST(Punctuation, PtbGoesByFiveFineTags) {
  for (const char* tag : {"''", "``", ":", ",", "."}) {
    EXPECT_TRUE(is_punctuation(word("x", "X", tag), Punctuation::ptb)) << tag;
  }
  for (const char* tag : {"-LRB-", "$", "#", "PUNCT", "\"", "NN"}) {
    EXPECT_FALSE(is_punctuation(word(".", "PUNCT", tag), Punctuation::ptb)) << tag;
  }
}

TEST(Punctuation, CtbGoesByPu) {
  EXPECT_TRUE(is_punctuation(word("x", "X", "PU"), Punctuation::ctb));
  EXPECT_FALSE(is_punctuation(word("。", "PUNCT", "NN"), Punctuation::ctb));
}

TEST(Punctuation, TheCoarseTagStandsInForAMissingFineTag) {
  EXPECT_TRUE(is_punctuation(word("x", ",", "_"), Punctuation::ptb));
  EXPECT_TRUE(is_punctuation(word("x", "PU", "_"), Punctuation::ctb));
  EXPECT_FALSE(is_punctuation(word("x", "PU", "NN"), Punctuation::ctb));
}

TEST(Punctuation, UdGoesByTheCoarseTag) {
  EXPECT_TRUE(is_punctuation(word("x", "PUNCT", "NN"), Punctuation::ud));
  EXPECT_FALSE(is_punctuation(word(".", "SYM", "PUNCT"), Punctuation::ud));
  EXPECT_FALSE(is_punctuation(word(".", "_", "PUNCT"), Punctuation::ud));
}

TEST(Punctuation, UnicodeGoesByTheForm) {
  for (const char* form : {".", "!", "/", "...", "--", "\"", "_", "@", "«", "»", "¿", "…", "。", "」", "،",
                           "\xF0\x90\x84\x80", "?!»"}) {
    EXPECT_TRUE(is_punctuation(word(form, "NOUN", "NN"), Punctuation::unicode)) << form;
  }
  // Symbols (S*), letters, digits and combining marks are none; neighbours of ranges: $ + < ` ~ | ^ 0 :).
  for (const char* form : {"$",
                           "+",
                           "<",
                           "=",
                           "`",
                           "~",
                           "|",
                           "^",
                           "0",
                           "a",
                           "é",
                           "°",
                           "€",
                           "™",
                           "海",
                           "a.",
                           ".a",
                           ":D",
                           "\xF0\x90\x84\x83",
                           "\xF0\x9F\x99\x82",
                           ".\xCC\x81"}) {
    EXPECT_FALSE(is_punctuation(word(form, "PUNCT", "."), Punctuation::unicode)) << form;
  }
}

TEST(HeadProbability, IsOneEntryOfMisc) {
  EXPECT_EQ(head_probability(word("a", "X", "X", "P=0.9321")), 0.9321);
  EXPECT_EQ(head_probability(word("a", "X", "X", "SpaceAfter=No|P=1|Q=3")), 1.0);
  EXPECT_EQ(head_probability(word("a", "X", "X", "P=0")), 0.0);
  for (const char* misc : {"_", "SpaceAfter=No", "PP=0.5", "p=0.5", "P", "X=P=0.5"}) {
    EXPECT_FALSE(head_probability(word("a", "X", "X", misc))) << misc;
  }
}

TEST(HeadProbability, RefusesWhatIsNone) {
  for (const char* value : {"", "x", "1.01", "-0.1", "nan", "inf", "0.5 ", "0,5", "0.5%"}) {
    const std::string message =
        error_of([&] { head_probability(word("a", "X", "X", std::string("P=") + value)); });
    EXPECT_EQ(message,
              "'" + std::string(value) + "' is not a probability; write P= and a number from 0 to 1 in MISC");
  }
}

}  // namespace
}  // namespace copse::testing
