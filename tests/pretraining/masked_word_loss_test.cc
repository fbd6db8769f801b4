// The gradient of guessing hidden words, of every block of weights, against finite differences; and the loss
// itself against its definition.
#include "pretraining/masked_word_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "parser_training/finite_differences.h"

namespace copse {
namespace {

NetworkShape tiny_shape(Spelling spelling = Spelling::affixes) {
  NetworkShape shape;
  shape.spelling = spelling;
  if (shape.reads_characters()) shape.characters = 6;
  shape.character_size = 3;
  shape.guesses_words = true;
  shape.words = 9;
  shape.word_size = 6;
  shape.affix_rows = 5;
  shape.affix_size = 4;
  shape.spelling_size = 6;
  shape.layers = 2;
  shape.hidden = 5;
  return shape;
}

MaskedBatch random_batch(const NetworkShape& shape, Random& random) {
  MaskedBatch batch;
  for (const std::size_t length : {7U, 5U, 5U, 2U}) batch.sequences.add(length);
  batch.inputs.feature_begins.push_back(0);
  batch.inputs.character_begins.push_back(0);
  for (std::size_t row = 0; row < batch.sequences.rows(); ++row) {
    batch.inputs.words.push_back(static_cast<std::uint32_t>(random.below(shape.words)));
    for (std::size_t kind = 0; kind < shape.affix_kinds(); ++kind) {
      batch.inputs.affixes.push_back(
          static_cast<std::uint32_t>(kind * shape.affix_rows + random.below(shape.affix_rows)));
    }
    batch.inputs.feature_begins.push_back(0);
    for (std::size_t k = 1 + random.below(4); k > 0 && shape.reads_characters(); --k) {
      batch.inputs.characters.push_back(static_cast<std::uint32_t>(random.below(shape.characters)));
    }
    batch.inputs.character_begins.push_back(static_cast<std::uint32_t>(batch.inputs.characters.size()));
    const bool is_hidden = row % 3 == 1;
    batch.kept.push_back(is_hidden ? 0.0F : 1.0F);
    if (!is_hidden) continue;
    batch.hidden_rows.push_back(static_cast<std::uint32_t>(row));
    batch.gold.push_back(batch.inputs.words.back());
  }
  return batch;
}

class MaskedWordLossTest : public ::testing::TestWithParam<std::tuple<float, Spelling>> {};

TEST_P(MaskedWordLossTest, AgreesWithFiniteDifferencesInEveryBlock) {
  constexpr std::uint64_t kSeed = 20261117;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  const auto [dropout, spelling] = GetParam();
  const NetworkShape shape = tiny_shape(spelling);
  const NetworkBlocks blocks(shape);
  const std::vector<MaskedBatch> batches = {random_batch(shape, random), random_batch(shape, random)};
  MaskedWordLoss loss(shape, blocks, batches, dropout);
  std::vector<float> weights = initial_weights(shape, 3);
  // Zeros, ones and small numbers would hide mistakes.
  for (const Block* block :
       {&blocks.guess.gain, &blocks.guess.shift, &blocks.guess.word_bias, &blocks.word_table}) {
    for (std::size_t k = 0; k < block->size(); ++k) weights[block->offset + k] = random.normal();
  }
  TrainingWeights at(blocks);
  Gradients gradients(blocks);
  Gradients ignored(blocks);
  const std::vector<std::size_t> both = {0, 1};
  const auto value = [&](Gradients& result) {
    at.assign(weights);
    return loss.run(both, at, 7, result);
  };
  EXPECT_GT(value(gradients), 0.0);
  testing::expect_gradient(
      blocks, gradients, weights, [&] { return value(ignored); }, random);
}

INSTANTIATE_TEST_SUITE_P(Dropout, MaskedWordLossTest,
                         ::testing::Combine(::testing::Values(0.0F, 0.3F),
                                            ::testing::Values(Spelling::affixes, Spelling::both)));

// Equal scores for all words: the loss of each is the logarithm of their number.
TEST(MaskedWordLoss, IsThatOfChanceForWordsThatAreAllAlike) {
  Random random(5);
  const NetworkShape shape = tiny_shape();
  const NetworkBlocks blocks(shape);
  const std::vector<MaskedBatch> batches = {random_batch(shape, random)};
  MaskedWordLoss loss(shape, blocks, batches, 0.0F);
  std::vector<float> weights = initial_weights(shape, 3);
  for (std::size_t word = 1; word < shape.words; ++word) {
    for (std::size_t k = 0; k < shape.word_size; ++k) {
      weights[blocks.word_table.offset + word * shape.word_size + k] = weights[blocks.word_table.offset + k];
    }
  }
  TrainingWeights at(blocks);
  at.assign(weights);
  Gradients gradients(blocks);
  const std::vector<std::size_t> first = {0};
  EXPECT_NEAR(loss.run(first, at, 7, gradients),
              static_cast<double>(batches[0].gold.size()) * std::log(static_cast<double>(shape.words)), 1e-4);
}

// What a hidden word is must not reach the encoder.
TEST(MaskedWordLoss, TheInputOfHiddenWordsHasNoEffect) {
  for (const Spelling spelling : {Spelling::affixes, Spelling::both}) {
    Random random(6);
    const NetworkShape shape = tiny_shape(spelling);
    const NetworkBlocks blocks(shape);
    std::vector<MaskedBatch> batches = {random_batch(shape, random)};
    MaskedWordLoss loss(shape, blocks, batches, 0.0F);
    const std::vector<float> weights = initial_weights(shape, 3);
    TrainingWeights at(blocks);
    at.assign(weights);
    Gradients gradients(blocks);
    const std::vector<std::size_t> first = {0};
    const double before = loss.run(first, at, 7, gradients);
    WordInputs& inputs = batches[0].inputs;
    for (const std::uint32_t row : batches[0].hidden_rows) {
      inputs.words[row] = (inputs.words[row] + 1) % static_cast<std::uint32_t>(shape.words);
      inputs.affixes[row * shape.affix_kinds()] ^= 1U;
      if (shape.reads_characters()) inputs.characters[inputs.character_begins[row]] ^= 1U;
    }
    EXPECT_EQ(loss.run(first, at, 7, gradients), before);
  }
}

}  // namespace
}  // namespace copse
