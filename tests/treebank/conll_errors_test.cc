#include <gtest/gtest.h>

#include "copse/setting_error.h"
#include "io/compress_helpers.h"
#include "treebank/conll_helpers.h"
#include "treebank/conll_samples.h"

namespace copse {
namespace {

std::string row(const std::string& id, const std::string& head) {
  return id + "\tw" + id + "\t_\tX\tX\t_\t" + head + "\tdep\t_\t_\n";
}

const std::string kGood = "# text = w1 w2\n" + row("1", "0") + row("2", "1") + "\n";  // four lines

std::string error_in(const std::string& text, const ConllReadOptions& options = {}) {
  return error_of([&] { read_text(text, options); });
}

struct Malformed {
  const char* name;
  std::string text;  // comes after kGood, so that its first line is line 5
  const char* message;
};

class MalformedInput : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedInput, IsRefusedWithThePlaceAndTheReason) {
  const std::string expected = std::string("<text>:") + GetParam().message;
  EXPECT_EQ(error_in(kGood + GetParam().text).substr(0, expected.size()), expected);
  EXPECT_EQ(error_in("\xEF\xBB\xBF" + kGood + GetParam().text).substr(0, expected.size()), expected);
}

const Malformed kMalformed[] = {
    {"TooFewColumns", "1\tw\t_\tX\tX\t_\t0\tdep\n", "5: 8 columns found, 10 expected; write ID FORM"},
    {"TooManyColumns", "1\tw\t_\tX\tX\t_\t0\tdep\t_\t_\t_\n",
     "5: 11 columns found, 10 expected; write ID FORM"},
    {"OneColumn", "word\n", "5: 1 column found, 10 expected; write ID FORM"},
    {"SpacesForTabs", "1 w _ X X _ 0 dep _ _\n",
     "5: 1 column found, 10 expected; separate the columns by tabs, not by spaces"},
    {"LineOfSpaces", row("1", "0") + "  \n", "6: 1 column found, 10 expected; remove the spaces"},
    {"LineOfATab", row("1", "0") + "\t\n", "6: 2 columns found, 10 expected; remove the spaces"},
    {"EmptyField", "1\tw\t\tX\tX\t_\t0\tdep\t_\t_\n", "5: column 3 is empty; write _ for no value"},
    {"EmptyLastField", "1\tw\t_\tX\tX\t_\t0\tdep\t_\t\n", "5: column 10 is empty"},
    {"EmptyId", "\tw\t_\tX\tX\t_\t0\tdep\t_\t_\n", "5: column 1 is empty"},
    {"EmptyFieldOfARange", "1-2\t\t_\t_\t_\t_\t_\t_\t_\t_\n", "5: column 2 is empty"},
    {"HeadIsNoNumber", row("1", "x"), "5: HEAD 'x' is not a number; use the ID of a word"},
    {"NegativeHead", row("1", "-1"), "5: HEAD '-1' is not a number"},
    {"HeadWithZeros", row("1", "007"), "5: HEAD '007' has leading zeros"},
    {"HeadBeyondTheEnd", row("1", "0") + row("2", "3"),
     "6: the head of word 2 is 3, outside 0..2; use the ID"},
    {"HugeHead", row("1", "99999999999999999999"), "5: HEAD '99999999999999999999' is out of range"},
    {"SelfLoop", row("1", "0") + row("2", "2"), "6: word 2 'w2' is its own head; give it another head"},
    {"Cycle", "# c\n" + row("1", "0") + "1.1" + row("", "_") + row("2", "4") + row("3", "2") + row("4", "3"),
     "8: the heads form a cycle: 2 'w2' -> 4 'w4' -> 3 'w3' -> 2; give one of these words another head"},
    {"CycleBesideATail", row("1", "2") + row("2", "3") + row("3", "2"),
     "6: the heads form a cycle: 2 'w2' -> 3"},
    {"FirstIdIsTwo", row("2", "0"), "5: ID '2' where 1 is due; number the words"},
    {"FirstIdIsZero", row("0", "0"), "5: ID '0' where 1 is due"},
    {"SkippedId", row("1", "0") + row("3", "1"), "6: ID '3' where 2 is due"},
    {"RepeatedId", row("1", "0") + row("1", "0"), "6: ID '1' where 2 is due"},
    {"IdWithZeros", row("01", "0"), "5: ID '01' where 1 is due"},
    {"IdIsNoNumber", row("one", "0"), "5: ID 'one' where 1 is due"},
    {"HugeId", row("99999999999", "0"), "5: ID '99999999999' where 1 is due"},
    {"NoBlankLine", row("1", "0") + row("1", "0"),
     "6: ID '1' where 2 is due; number the words of a sentence 1, 2, 3 "
     "and so on, with a blank line after the last"},
    {"ReversedRange", row("2-1", "_"), "5: the range 2-1 is not two or more words in order"},
    {"RangeOfOneWord", row("1-1", "_"), "5: the range 1-1 is not two or more words in order"},
    {"RangeFromZero", row("0-1", "_"), "5: the range 0-1 is not two or more words in order"},
    {"OverlappingRanges", row("1-2", "_") + row("1", "0") + row("2-3", "_"),
     "7: the range 2-3 overlaps the range 1-2; a word belongs to one range at most"},
    {"RepeatedRange", row("1-2", "_") + row("1-3", "_"), "6: the range 1-3 overlaps the range 1-2"},
    {"RangeTooEarly", row("2-3", "_"), "5: the range 2-3 is out of place; put it right before word 2"},
    {"RangeTooLate", row("1", "0") + row("1-2", "_"), "6: the range 1-2 is out of place"},
    {"RangeBeyondTheEnd", row("1", "0") + row("2-3", "_") + row("2", "1"),
     "6: the range 2-3 goes beyond the last word"},
    {"RangeWithoutWords", row("1", "0") + row("2-3", "_"),
     "6: the range 2-3 goes beyond the last word, 1; correct"},
    {"BrokenRange", row("1-x", "_"), "5: ID '1-x' where 1 is due"},
    {"NodeTooEarly", row("1.1", "_"), "5: the empty node 1.1 is out of order; put the nodes N.1, N.2"},
    {"NodeTooLate", row("1", "0") + row("0.1", "_"), "6: the empty node 0.1 is out of order"},
    {"NodeSkipped", row("1", "0") + row("1.2", "_"), "6: the empty node 1.2 is out of order"},
    {"NodeRepeated", row("1", "0") + row("1.1", "_") + row("1.1", "_"),
     "7: the empty node 1.1 is out of order"},
    {"NodeAfterRange", row("1", "0") + row("2-3", "_") + row("1.1", "_"),
     "7: the empty node 1.1 is out of order"},
    {"NodeZero", row("1", "0") + row("1.0", "_"), "6: the empty node 1.0 is out of order"},
    {"InvalidUtf8", row("1", "0") + "2\tab\xFF\n",
     "6: invalid UTF-8 at byte 5 of the line, '\\xFF'; convert the file"},
    {"OverlongUtf8", "1\t\xC0\xAF\n", "5: invalid UTF-8 at byte 3 of the line, '\\xC0'"},
    {"Surrogate", "1\t\xED\xA0\x80\n", "5: invalid UTF-8 at byte 3 of the line, '\\xED'"},
    {"InvalidUtf8InAComment", "# a\n# \xE2\x82\n", "6: invalid UTF-8 at byte 3"},
    {"NulByte", std::string("1\tw\0\n", 5), "5: a NUL byte in the text; remove it"},
    {"CarriageReturn", "1\ta\rb\n", "5: a carriage return inside a line; end lines in LF or CR LF"},
    {"CarriageReturnAtTheEnd", row("1", "0") + "\r", "6: a carriage return inside a line"},
    {"LongLine", "# " + std::string(1 << 20, 'a') + "\n", "5: the line is longer than 1048576 bytes; check"},
    {"LongLineWithoutEnd", "# " + std::string(3 << 20, 'a'), "5: the line is longer than 1048576 bytes"},
    {"LongField", "1\t" + std::string(65537, 'a') + "\t_\tX\tX\t_\t0\tdep\t_\t_\n",
     "5: column 2 is longer than 65536 bytes; shorten it"},
    {"LongFieldOfANode", "0.1\t_\t_\t_\t_\t_\t_\t_\t_\t" + std::string(65537, 'a') + "\n",
     "5: column 10 is longer than 65536 bytes"},
    {"CommentsOnly", "# a\n# b\n\n" + kGood, "5: the sentence has no words; add some"},
    {"CommentsOnlyAtTheEnd", "\n\n# a", "7: the sentence has no words"},
    {"NodesOnly", row("0.1", "_"), "5: the sentence has no words"},
    {"LateComment", row("1", "0") + "# late\n",
     "6: a comment after the first row of a sentence; move it before"},
    {"CommentAfterRange", row("1-2", "_") + "# late\n", "6: a comment after the first row"},
};

INSTANTIATE_TEST_SUITE_P(Cases, MalformedInput, ::testing::ValuesIn(kMalformed),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(ReaderErrors, NameThreeColumnsToo) {
  EXPECT_EQ(error_in("a\tA\t0\nb\tB\n"),
            "<text>:2: 2 columns found, 3 expected; write FORM POS HEAD separated by tabs");
  EXPECT_EQ(error_in("a\tA\tx\n").substr(0, 32), "<text>:1: HEAD 'x' is not a numb");
  EXPECT_EQ(error_in("a\t\t0\n"), "<text>:1: column 2 is empty; write _ for no value");
  EXPECT_EQ(error_in("a\tA\t0\nb\tB\t3\n").substr(0, 40), "<text>:2: the head of word 2 is 3, outsi");
}

TEST(ReaderErrors, RecogniseUtf16AndRangesInConllx) {
  EXPECT_EQ(
      error_in(std::string("\xFF\xFE"
                           "1")),
      "<text>:1: invalid UTF-8 at byte 1 of the line, '\\xFF', as in UTF-16; convert the file to UTF-8");
  ConllReadOptions options;
  options.format = ConllFormat::conllx;
  EXPECT_EQ(error_in(row("1-2", "_"), options),
            "<text>:1: the range '1-2' has no place in CoNLL-X; read the file as CoNLL-U");
}

TEST(ReaderErrors, NameAtMostTenWordsOfACycle) {
  std::string text = row("1", "20");
  for (int k = 2; k <= 20; ++k) text += row(std::to_string(k), std::to_string(k - 1));
  const std::string message = error_in(text);
  EXPECT_NE(message.find("1 'w1' -> 20 'w20' -> "), std::string::npos) << message;
  EXPECT_NE(message.find("12 'w12' -> ... -> 1; give"), std::string::npos) << message;
}

TEST(ReaderErrors, EndTheReading) {
  ConllReader reader = ConllReader::from_text(kGood + "bad\n\n" + kGood);
  Sentence sentence;
  EXPECT_TRUE(reader.next(sentence));
  EXPECT_THROW(reader.next(sentence), DataError);
  EXPECT_FALSE(reader.next(sentence));
}

TEST(ReaderErrors, NameTheFile) {
  EXPECT_EQ(error_of([] { read_conll("no/such.conllu"); }),
            "no/such.conllu: cannot open: No such file or directory; check the path and its permissions");
  const std::string bytes = gzip_bytes(kConlluSample);
  EXPECT_EQ(error_of([&] { read_text(bytes.substr(0, bytes.size() - 9)); }),
            "<text>: the gzip data is truncated; get or make it again");
  EXPECT_EQ(error_of([&] { read_text(zstd_bytes(kConlluSample) + "garbage"); }),
            "<text>: the zstd data is corrupt; get or make it again");
}

TEST(ReaderOptions, LimitsAreExact) {
  ConllReadOptions options;
  options.max_words = 2;
  EXPECT_EQ(error_in(kGood, options), "no error");
  EXPECT_EQ(error_in(kGood + row("1", "0") + row("2", "1") + row("3", "1"), options),
            "<text>:7: the sentence has more than 2 words; put blank lines between sentences, or raise the "
            "limit");
  try {
    read_text(kGood + row("1", "0") + row("2", "1") + row("3", "1"), options);
    FAIL() << "a sentence over the limit";
  } catch (const SettingError& error) {
    EXPECT_STREQ(error.setting(), "max_words");  // which programs may call as they like
  }
  options = {};
  options.max_line_bytes = row("1", "0").size() - 1;
  EXPECT_EQ(error_in(kGood, options), "no error");
  options.max_line_bytes -= 1;
  EXPECT_EQ(error_in(kGood, options).substr(0, 37), "<text>:2: the line is longer than 21 ");
  options = {};
  options.max_field_bytes = 3;
  EXPECT_EQ(error_in(kGood, options), "no error");
  options.max_field_bytes = 2;
  EXPECT_EQ(error_in(kGood, options).substr(0, 30), "<text>:2: column 8 is longer t");
  options = {};
  options.max_sentence_bytes = kGood.size() - 4;
  EXPECT_EQ(error_in(kGood + kGood, options), "no error");
  options.max_sentence_bytes -= 1;
  EXPECT_EQ(error_in(kGood, options).substr(0, 40), "<text>:3: the sentence is longer than 57");
  options = {};
  options.max_field_bytes = options.max_line_bytes;
  EXPECT_EQ(error_in("1\t" + std::string(70'000, 'a') + "\t_\tX\tX\t_\t0\tdep\t_\t_\n", options), "no error");
}

TEST(ReaderOptions, ReadsTheLongestSentenceAllowed) {
  std::string text;
  for (int k = 1; k <= 10'000; ++k) text += row(std::to_string(k), std::to_string(k - 1));
  EXPECT_EQ(read_text(text)[0].size(), 10'000);
  EXPECT_EQ(error_in(text + row("10001", "1")).substr(0, 45),
            "<text>:10001: the sentence has more than 1000");
}

TEST(ReaderOptions, TreesNeedNotBeValidated) {
  ConllReadOptions options;
  options.validate_trees = false;
  EXPECT_EQ(read_text(row("1", "2") + row("2", "1") + row("3", "3"), options)[0].heads(),
            (std::vector<int>{kNoHead, 2, 1, 3}));
  EXPECT_EQ(error_in(row("1", "2"), options).substr(0, 40), "<text>:1: the head of word 1 is 2, outsi");
}

TEST(ReaderOptions, SeveralRootsAndPartialTreesAreFine) {
  EXPECT_EQ(read_text(row("1", "0") + row("2", "0") + row("3", "_"))[0].heads(),
            (std::vector<int>{kNoHead, 0, 0, kNoHead}));
}

}  // namespace
}  // namespace copse
