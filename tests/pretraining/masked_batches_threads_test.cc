// Batches of plain text with hidden words, which a thread makes ahead.
#include "pretraining/masked_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "copse/treebank/sentence.h"
#include "pretraining/toy_text.h"

namespace copse {
namespace {

using testing::toy_text;

// What a step gives, to be compared.
struct Seen {
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<std::vector<std::uint32_t>> hidden_rows;
  bool operator==(const Seen&) const = default;
};
Seen seen(const MaskedBatches& batches, const MaskedBatches::Step& step) {
  Seen result;
  for (const ExampleBatch& part : step.parts) {
    const MaskedBatch& batch = batches.slots()[part.at(0)];
    result.words.push_back(batch.inputs.words);
    result.hidden_rows.push_back(batch.hidden_rows);
  }
  return result;
}

TEST(MaskedBatches, HiddenWordsAreKnownOnesAndAboutAsManyAsAskedFor) {
  const auto text = toy_text(500, testing::toy_shape());
  text->choose(1, 8);  // some are unknown
  TextWindow window;
  text->read(0, window);
  std::vector<std::size_t> all(window.sentences());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  MaskedBatch batch;
  make_masked_batch(*text, window, all, 0.2F, 7, batch);
  ASSERT_EQ(batch.inputs.rows(), window.forms.size() + window.sentences());
  EXPECT_EQ(batch.sequences.rows(), batch.inputs.rows());
  ASSERT_EQ(batch.kept.size(), batch.inputs.rows());
  ASSERT_EQ(batch.hidden_rows.size(), batch.gold.size());
  EXPECT_TRUE(std::is_sorted(batch.hidden_rows.begin(), batch.hidden_rows.end()));
  std::size_t known = 0;
  const std::size_t root = text->vocabulary().words.size() + 1;
  for (const std::uint32_t word : batch.inputs.words) known += word != 0 && word != root ? 1 : 0;
  EXPECT_LT(known, window.forms.size());
  EXPECT_NEAR(static_cast<double>(batch.gold.size()) / static_cast<double>(known), 0.2, 0.03);
  std::size_t zeros = 0;
  for (const float kept : batch.kept) zeros += kept == 0.0F ? 1 : 0;
  EXPECT_EQ(zeros, batch.gold.size());
  for (std::size_t k = 0; k < batch.gold.size(); ++k) {
    EXPECT_EQ(batch.kept[batch.hidden_rows[k]], 0.0F);
    EXPECT_EQ(batch.gold[k], batch.inputs.words[batch.hidden_rows[k]]);
    EXPECT_NE(batch.gold[k], 0U);
    EXPECT_NE(batch.gold[k], root);
  }
}

// What parsers read of a sentence is what the encoder has learnt from.
TEST(MaskedBatches, InputsAreThoseThatParsersRead) {
  for (const Spelling spelling : {Spelling::affixes, Spelling::both}) {
    const NetworkShape shape = testing::toy_shape(64, spelling);
    const auto text = toy_text(50, shape);
    const TextVocabulary& vocabulary = text->choose(1, 100);
    TextWindow window;
    text->read(0, window);
    const std::vector<std::size_t> first = {0};
    MaskedBatch batch;
    make_masked_batch(*text, window, first, 0.2F, 7, batch);
    InputVocabularies vocabularies;
    vocabularies.words = Vocabulary(vocabulary.words);
    vocabularies.characters = text->characters();
    Sentence sentence;
    sentence.add_word("The");
    // The others by their words: the toy text has no other upper case.
    for (std::size_t row = 2; row < batch.inputs.rows(); ++row) {
      sentence.add_word(vocabularies.words[batch.inputs.words[row]]);
    }
    WordInputs expected;
    InputReader(vocabularies, nullptr, shape).append(sentence, expected);
    EXPECT_EQ(batch.inputs.words, expected.words);
    EXPECT_EQ(batch.inputs.affixes, expected.affixes);
    EXPECT_EQ(batch.inputs.feature_begins, expected.feature_begins);
    EXPECT_EQ(batch.inputs.character_begins, expected.character_begins);
    EXPECT_EQ(batch.inputs.characters, expected.characters);
    EXPECT_EQ(batch.inputs.characters.empty(), spelling == Spelling::affixes);
  }
}

TEST(MaskedBatches, EachPassHasTheWholeText) {
  const auto text = toy_text(300, testing::toy_shape());
  text->choose(1, 100, 500);
  ASSERT_GT(text->windows(), 2U);
  MaskedBatchOptions options;
  options.passes = 2;
  options.batch_words = 150;
  options.parts = 3;
  MaskedBatches batches(*text, options);
  EXPECT_EQ(batches.slots().size(), 6U);
  std::uint64_t words = 0;
  std::vector<Seen> passes(2);
  for (std::uint64_t windows = 0; windows < batches.windows();) {
    const MaskedBatches::Step& step = batches.next();
    EXPECT_LE(step.parts.size(), 3U);
    EXPECT_LE(step.words, 150U);
    words += step.words;
    const Seen part = seen(batches, step);
    Seen& pass = passes[windows / text->windows()];
    for (const auto& list : part.words) pass.words.push_back(list);
    for (const auto& list : part.hidden_rows) pass.hidden_rows.push_back(list);
    windows += step.ends_window ? 1 : 0;
  }
  EXPECT_EQ(words, 2 * text->words());
  EXPECT_NE(passes[0].hidden_rows, passes[1].hidden_rows);
  EXPECT_NE(passes[0].words, passes[1].words) << "in another order";
  // Each word as often in one pass as in the other.
  std::map<std::uint32_t, int> counts;
  for (const auto& list : passes[0].words) {
    for (const std::uint32_t word : list) ++counts[word];
  }
  for (const auto& list : passes[1].words) {
    for (const std::uint32_t word : list) --counts[word];
  }
  for (const auto& [word, count] : counts) EXPECT_EQ(count, 0) << word;
  EXPECT_THROW(batches.next(), std::logic_error);
}

TEST(MaskedBatches, GoOnFromAnyWindow) {
  const auto text = toy_text(300, testing::toy_shape());
  text->choose(1, 100, 500);
  MaskedBatchOptions options;
  options.passes = 2;
  options.batch_words = 150;
  MaskedBatches whole(*text, options);
  for (std::uint64_t windows = 0; windows < 3;) windows += whole.next().ends_window ? 1 : 0;
  MaskedBatches later(*text, options);
  later.next();
  later.seek(3);
  for (std::uint64_t windows = 3; windows < whole.windows();) {
    const MaskedBatches::Step& expected = whole.next();
    const MaskedBatches::Step& found = later.next();
    ASSERT_EQ(seen(later, found), seen(whole, expected));
    windows += expected.ends_window ? 1 : 0;
  }
}

}  // namespace
}  // namespace copse
