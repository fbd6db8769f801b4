#include "segmentation/word_splitter.h"

#include <gtest/gtest.h>

#include "copse/error.h"

namespace copse::testing {
namespace {

using Words = std::vector<std::string>;

Words split(const WordSplitter& splitter, std::string_view form) {
  Words words;
  return splitter.split(form, words) ? words : Words{std::string(form)};
}

void learn(WordSplitterTrainer& trainer, std::string_view form, const std::vector<std::string_view>& words) {
  if (words.empty())
    trainer.add_word(form);
  else
    trainer.add_split(form, words);
}

WordSplitter english() {
  WordSplitterTrainer trainer;
  learn(trainer, "don't", {"do", "n't"});
  learn(trainer, "Didn't", {"Did", "n't"});
  learn(trainer, "couldn't", {"could", "n't"});
  learn(trainer, "can't", {"ca", "n't"});
  learn(trainer, "cannot", {"can", "not"});
  learn(trainer, "its", {"it", "s"});
  for (int k = 0; k < 3; ++k) learn(trainer, "its", {});
  for (int k = 0; k < 3; ++k) learn(trainer, "Isn't", {});
  for (const char* word : {"knot", "the", "dogs"}) learn(trainer, word, {});
  return trainer.train();
}

TEST(WordSplitter, KnowsFormsAndLearnsEnds) {
  const WordSplitter splitter = english();
  EXPECT_EQ(split(splitter, "don't"), (Words{"do", "n't"}));
  EXPECT_EQ(split(splitter, "DON'T"), (Words{"DO", "N'T"}));
  EXPECT_EQ(split(splitter, "Cannot"), (Words{"Can", "not"}));
  EXPECT_EQ(split(splitter, "Shouldn't"), (Words{"Should", "n't"}));
  EXPECT_EQ(split(splitter, "shouldn\u2019t"), (Words{"should", "n\u2019t"}));
  EXPECT_EQ(split(splitter, "n't"), (Words{"n't"}));
  EXPECT_EQ(split(splitter, "isn't"), (Words{"isn't"}));  // seen as one word, again and again
  EXPECT_EQ(split(splitter, "its"), (Words{"its"}));      // mostly one word
  EXPECT_EQ(split(splitter, "knot"), (Words{"knot"}));
  EXPECT_EQ(split(splitter, "not"), (Words{"not"}));
  EXPECT_EQ(split(splitter, ""), (Words{""}));
}

TEST(WordSplitter, WordsThatAreNotPartsTakeOverTheCase) {
  WordSplitterTrainer trainer;
  learn(trainer, "Kdyby", {"Když", "by"});
  learn(trainer, "aby", {"aby", "by"});
  learn(trainer, "SES", {"JSI", "SE"});
  const WordSplitter splitter = trainer.train();
  EXPECT_EQ(split(splitter, "kdyby"), (Words{"když", "by"}));
  EXPECT_EQ(split(splitter, "Kdyby"), (Words{"Když", "by"}));
  EXPECT_EQ(split(splitter, "KDYBY"), (Words{"KDYŽ", "BY"}));
  EXPECT_EQ(split(splitter, "Aby"), (Words{"Aby", "by"}));
  EXPECT_EQ(split(splitter, "ses"), (Words{"jsi", "se"}));
  EXPECT_EQ(split(splitter, "Ses"), (Words{"Jsi", "se"}));
}

TEST(WordSplitter, EveryTrainingSplitCanBeRepeated) {
  const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> kSplits = {
      {"du", {"de", "le"}},         {"dámelo", {"da", "me", "lo"}},
      {"gonna", {"gon", "na"}},     {"Auf", {"An", "f"}},
      {"x1", {"x", "1"}},           {"zum", {"zu", "dem"}},
      {"vámonos", {"vamos", "nos"}}};
  for (const auto& [form, words] : kSplits) {
    Words found;
    ASSERT_TRUE(WordSplit::between(form, words).apply(form, found)) << form;
    EXPECT_EQ(found, Words(words.begin(), words.end())) << form;
  }
}

TEST(WordSplitter, IsTheSameFromAFileAndRefusesOthers) {
  const WordSplitter splitter = english();
  ByteWriter writer;
  splitter.save(writer);
  ByteReader reader(writer.bytes(), "test");
  const WordSplitter loaded = WordSplitter::load(reader);
  reader.expect_end();
  for (const char* form : {"don't", "wouldn't", "isn't", "cannot", "its"}) {
    EXPECT_EQ(split(loaded, form), split(splitter, form)) << form;
  }
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    ByteReader truncated(std::span(writer.bytes()).first(size), "test");
    EXPECT_THROW(WordSplitter::load(truncated), DataError) << size;
  }
}

}  // namespace
}  // namespace copse::testing
