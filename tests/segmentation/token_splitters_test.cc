// How tokens are split that training data does not have, or has in several ways.
#include <gtest/gtest.h>

#include <random>

#include "copse/error.h"
#include "evaluation/aligned_scores.h"
#include "inference/test_settings.h"
#include "segmentation/segmented_toys.h"
#include "segmentation/segmenter_content.h"
#include "segmentation/text_of.h"
#include "treebank/field_text.h"

namespace copse::testing {
namespace {

std::vector<std::string> edited(std::u32string_view form, const std::vector<std::u32string>& words,
                                std::string_view other) {
  const std::vector<CharacterEdit> edits = character_edits(form, words);
  EXPECT_EQ(edits.size(), form.size());
  std::vector<const CharacterEdit*> pointers;
  for (const CharacterEdit& edit : edits) pointers.push_back(&edit);
  std::vector<std::string> result;
  if (!apply_edits(other, pointers, result)) return {};
  return result;
}

using Texts = std::vector<std::string>;

TEST(CharacterEdits, MakeWordsOfTokens) {
  EXPECT_EQ(edited(U"dont", {U"do", U"nt"}, "DOnT"), (Texts{"DO", "nT"}));
  EXPECT_EQ(edited(U"nay", {U"na", U"di"}, "jay"), (Texts{"ja", "di"}));
  EXPECT_EQ(edited(U"des", {U"de", U"les"}, "Des"), (Texts{"De", "les"}));
  EXPECT_EQ(edited(U"ab", {U"a", U"b", U"cd"}, "xy"), Texts());  // more words than characters
  EXPECT_EQ(edited(U"abc", {U"a", U"bc", U"d"}, "xyz"), (Texts{"x", "yz", "d"}));
  EXPECT_EQ(edited(U"ab", {U"ab"}, "ab"), Texts());  // a word
  EXPECT_EQ(edited(U"\u00e9\u00e8", {U"\u00e9", U"\u00e8"}, "\u00c9\u00e8"), (Texts{"\u00c9", "\u00e8"}));
}

TEST(CharacterEdits, GiveTheWordsBack) {
  for (int number = 0; number < scaled(2000); ++number) {
    SCOPED_TRACE(case_name(number));
    auto random = case_generator(number);
    const auto word = [&random](std::size_t least) {
      std::u32string letters;
      for (std::size_t size = least + random() % 4; size > 0; --size) letters += U"abc\u00e9"[random() % 4];
      return letters;
    };
    const std::u32string form = word(4);
    std::vector<std::u32string> words(1 + random() % 4);
    Texts expected;
    for (std::u32string& own : words) {
      own = word(1);
      std::string text;
      for (const char32_t letter : own) append_character(letter, text);
      expected.push_back(text);
    }
    std::string text;
    for (const char32_t letter : form) append_character(letter, text);
    EXPECT_EQ(edited(form, words, text), words.size() < 2 ? Texts() : expected);
  }
}

const SegmenterModel& glued() {
  static const SegmenterModel segmenter = [] {
    TaskPool pool(1);
    SegmenterObserver observer;
    return train_segmenter(read_text(glued_toys(400, 1)), {}, {}, pool, observer);
  }();
  return segmenter;
}

TEST(TokenSplitters, SplitTokensThatAreNew) {
  ASSERT_TRUE(glued().model().characters);
  const std::vector<Sentence> gold = read_text(glued_toys(200, 2));
  const std::vector<Sentence> found = segment_text(glued(), text_of(gold));
  const AlignedScores scores = evaluate_aligned(gold, found);
  EXPECT_EQ(scores[AlignedMeasure::tokens].f1(), 1.0);
  EXPECT_GT(scores[AlignedMeasure::words].f1(), 0.97);
}

TEST(TokenSplitters, GoByTheTokensAround) {
  ASSERT_TRUE(glued().model().context);
  ContextSplitterPass pass(*glued().model().context);
  const std::vector<std::string_view> tokens = {"dekuso", "des", "tilagedumi", "DES", "bodemi"};
  pass.assign(tokens);
  EXPECT_FALSE(pass.decision(0));
  ASSERT_TRUE(pass.decision(1) && *pass.decision(1) != nullptr);
  Texts words;
  EXPECT_TRUE((*pass.decision(1))->apply("des", words));
  EXPECT_EQ(words, (Texts{"de", "les"}));
  ASSERT_TRUE(pass.decision(3));
  EXPECT_EQ(*pass.decision(3), nullptr);
}

// Languages without such tokens do without.
TEST(TokenSplitters, AreLeftOutWhereNothingCallsForThem) {
  const SegmenterModel toys = toy_segmenter();
  EXPECT_FALSE(toys.model().characters);
  EXPECT_FALSE(toys.model().context);
}

template <class Splitter>
void expect_same_from_file(const Splitter& splitter) {
  ByteWriter writer;
  splitter.save(writer);
  ByteReader reader(writer.bytes(), "test");
  const Splitter loaded = Splitter::load(reader);
  reader.expect_end();
  ByteWriter again;
  loaded.save(again);
  EXPECT_TRUE(
      std::equal(writer.bytes().begin(), writer.bytes().end(), again.bytes().begin(), again.bytes().end()));
  for (std::size_t size = 0; size < writer.bytes().size(); size += 1 + size / 7) {
    ByteReader truncated(std::span(writer.bytes()).first(size), "test");
    EXPECT_THROW(Splitter::load(truncated), DataError) << size;
  }
}

TEST(TokenSplitters, AreTheSameFromAFileAndRefuseOthers) {
  expect_same_from_file(*glued().model().characters);
  expect_same_from_file(*glued().model().context);
}

// Bytes of files that somebody changed: refused, or harmless.
TEST(TokenSplitters, DamageIsHarmless) {
  std::mt19937_64 random(20261119);
  ByteWriter characters;
  glued().model().characters->save(characters);
  ByteWriter context;
  glued().model().context->save(context);
  const std::vector<std::string_view> tokens = {"des", "tilagedumi", "des", "tipebodemi", "x", "DES"};
  for (int trial = 0; trial < scaled(300); ++trial) {
    const auto damaged = [&](const ByteWriter& writer) {
      std::vector<std::byte> bytes(writer.bytes().begin(), writer.bytes().end());
      for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
        bytes[random() % std::min<std::size_t>(bytes.size(), random() % 2 == 0 ? 200 : bytes.size())] =
            static_cast<std::byte>(random());
      }
      return bytes;
    };
    try {
      const std::vector<std::byte> bytes = damaged(characters);
      ByteReader reader(bytes, "test");
      const CharacterSplitter splitter = CharacterSplitter::load(reader);
      CharacterSplitterPass pass(splitter);
      Texts words;
      for (const std::string_view token : tokens) {
        if (!pass.split(token, words).value_or(false)) continue;
        for (const std::string& word : words) EXPECT_TRUE(!word.empty() && is_field_text(word)) << token;
      }
    } catch (const DataError&) {
    }
    try {
      const std::vector<std::byte> bytes = damaged(context);
      ByteReader reader(bytes, "test");
      const ContextSplitter splitter = ContextSplitter::load(reader);
      ContextSplitterPass pass(splitter);
      pass.assign(tokens);
      for (std::size_t k = 0; k < tokens.size(); ++k) {
        const auto decision = pass.decision(k);
        if (!decision || *decision == nullptr) continue;
        Texts words;
        if (!(*decision)->apply(tokens[k], words)) continue;
        for (const std::string& word : words) {
          EXPECT_TRUE(!word.empty() && is_field_text(word)) << tokens[k];
        }
      }
    } catch (const DataError&) {
    }
  }
}

}  // namespace
}  // namespace copse::testing
