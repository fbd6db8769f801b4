// Steps of learning on a GPU against the same steps on processors: the same losses, gradients and weights, up
// to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "network/random.h"
#include "parser_training/describe_network.h"
#include "parser_training/tree_steps.h"
#include "pretraining/masked_steps.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

constexpr double kTolerance = 1e-6;  // of gradients
// Losses are sums over words and trees, which the GPU makes in floats.
constexpr double kLossTolerance = 1e-5;
// Adam divides by the length of gradients: of a weight whose gradient is nothing but rounding, steps are as
// long as of others, and in another direction.
constexpr double kStepTolerance = 5e-4;

double length(std::span<const float> numbers) {
  double sum = 0.0;
  for (const float number : numbers) sum += static_cast<double>(number) * number;
  return std::sqrt(sum);
}

void expect_near(std::span<const float> expected, std::span<const float> found, double scale,
                 const std::string& what, double tolerance = kTolerance) {
  ASSERT_EQ(expected.size(), found.size());
  std::vector<float> difference(expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) difference[k] = expected[k] - found[k];
  const double error = length(difference);
  EXPECT_LE(error, tolerance * scale) << what << ": " << length(expected) << " against " << length(found);
  if (std::getenv("COPSE_SHOW") != nullptr) {
    std::printf("%-40s length %.6g, error %.2g\n", what.c_str(), length(expected), error / scale);
  }
}

// Both do the same steps. With a rate of 0, the first moments are a tenth of the gradient.
void compare(NetworkSteps& processor, NetworkSteps& gpu, const NetworkBlocks& blocks, NetworkStep step) {
  step.adam.rate = 0.0F;
  step.adam.set_time(1);
  const NetworkStepReport expected = processor.step(step);
  const NetworkStepReport found = gpu.step(step);
  EXPECT_NEAR(expected.loss, found.loss, kLossTolerance * expected.loss);
  EXPECT_NEAR(expected.gradient_norm, found.gradient_norm, kTolerance * expected.gradient_norm);
  EXPECT_GT(expected.gradient_norm, 0.0);
  const double scale = length(processor.state().first_moments);
  for (const Block* block : blocks.all()) {
    const auto in = [&](const std::vector<float>& numbers) {
      return std::span(numbers).subspan(block->offset, block->size());
    };
    // Small blocks lie in the noise of large ones.
    expect_near(in(processor.state().first_moments), in(gpu.state().first_moments),
                std::max(length(in(processor.state().first_moments)), 0.02 * scale), block->name);
  }
  for (int k = 2; k < 5; ++k) {
    step.adam.rate = 1e-3F;
    step.adam.set_time(k);
    ++step.seed;
    const double loss = processor.step(step).loss;
    EXPECT_NEAR(loss, gpu.step(step).loss, kStepTolerance * loss) << k;
  }
  expect_near(processor.state().weights, gpu.state().weights, length(processor.state().weights), "weights",
              kStepTolerance);
  expect_near(processor.state().average, gpu.state().average, length(processor.state().average), "average");
  // What one machine has learnt, the other goes on with.
  gpu.restore(processor.state());
  step.seed += 7;
  const double loss = processor.step(step).loss;
  EXPECT_NEAR(loss, gpu.step(step).loss, kLossTolerance * loss);
}

struct TreeCase {
  Factorization factorization;
  bool reads_tags;
  bool has_vectors;
  Spelling spelling = Spelling::affixes;
};

class CudaTreeSteps : public ::testing::TestWithParam<TreeCase> {};

TEST_P(CudaTreeSteps, AreThoseOfProcessors) {
  if (!is_available(Device::cuda)) GTEST_SKIP() << why_unavailable(Device::cuda);
  const std::vector<Sentence> sentences = read_text(testing::ToyGrammar(1, true).treebank(30));
  std::vector<TrainingSentence> training;
  for (const Sentence& sentence : sentences) {
    TrainingSentence& example = training.emplace_back();
    example.sentence = sentence;
    example.heads.assign(1, kNoHead);
    for (const Token& word : sentence.words()) example.heads.push_back(word.head());
  }
  training[3].heads[1] = kNoHead;
  training[3].is_complete = false;
  NetworkShape shape;
  shape.hidden = 48;
  shape.arc_size = 40;
  shape.label_size = 20;
  shape.rank = 16;
  shape.factorization = GetParam().factorization;
  shape.spelling = GetParam().spelling;
  shape.spelling_size = 28;
  Random random(3);
  std::optional<WordVectors> vectors;
  if (GetParam().has_vectors) {
    WordVectorsBuilder builder(20);
    for (const Token& word : sentences[0].words()) {
      std::vector<float> values(20);
      for (float& value : values) value = random.normal();
      builder.add(word.form(), values);
    }
    vectors = builder.build();
  }
  const NetworkDescription network =
      describe_network(training, shape, {GetParam().reads_tags, true, true, vectors});
  std::vector<NetworkExample> examples;
  for (const TrainingSentence& sentence : training)
    examples.push_back(make_network_example(sentence, network));
  std::vector<float> weights = initial_weights(network.shape, 3);
  for (float& weight : weights) {
    if (weight == 0.0F) weight = 0.05F * random.normal();  // zeros would hide mistakes
  }
  NetworkLossOptions loss;
  loss.trees = RootMode::single;
  loss.margin = 1.0;
  TaskPool pool(3);
  NetworkStepsOptions options;
  options.precision = Precision::float32;
  const NetworkBlocks blocks(network.shape);
  options.rates = {{blocks.layers[0].input.offset, blocks.roles.weights.offset, 0.5F}};
  const auto processor = make_tree_steps(Device::cpu, network, examples, loss, weights, options, pool);
  const auto gpu = make_tree_steps(Device::cuda, network, examples, loss, weights, options, pool);
  const std::vector<std::vector<std::size_t>> parts = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10}, {11, 12, 13, 14, 15}};
  NetworkStep step;
  step.parts = parts;
  step.seed = 77;
  step.scale = 1.0 / 150;
  compare(*processor, *gpu, blocks, step);
}

INSTANTIATE_TEST_SUITE_P(
    All, CudaTreeSteps,
    ::testing::Values(
        TreeCase{Factorization::first, false, false}, TreeCase{Factorization::sibling, true, false},
        TreeCase{Factorization::grandchild, false, true}, TreeCase{Factorization::grandsibling, true, true},
        TreeCase{Factorization::outermost, true, false}, TreeCase{Factorization::trisibling, false, false},
        TreeCase{Factorization::grandtrisibling, true, true},
        TreeCase{Factorization::sibling, false, false, Spelling::characters},
        TreeCase{Factorization::grandchild, false, false, Spelling::both},
        TreeCase{Factorization::grandsibling, true, true, Spelling::characters}));

TEST(CudaMaskedSteps, AreThoseOfProcessors) {
  if (!is_available(Device::cuda)) GTEST_SKIP() << why_unavailable(Device::cuda);
  NetworkShape shape;
  shape.guesses_words = true;
  shape.words = 500;
  shape.word_size = 36;
  shape.affix_rows = 50;
  shape.affix_size = 8;
  shape.spelling_size = 20;
  shape.hidden = 40;
  Random random(5);
  std::vector<MaskedBatch> batches(3);
  for (MaskedBatch& batch : batches) {
    batch.inputs.feature_begins.push_back(0);
    batch.inputs.character_begins.push_back(0);
    for (std::size_t length = 20; length > 2; length -= random.below(3)) batch.sequences.add(length);
    for (std::size_t row = 0; row < batch.sequences.rows(); ++row) {
      batch.inputs.words.push_back(static_cast<std::uint32_t>(random.below(shape.words)));
      for (std::size_t kind = 0; kind < kAffixes; ++kind) {
        batch.inputs.affixes.push_back(
            static_cast<std::uint32_t>(kind * shape.affix_rows + random.below(shape.affix_rows)));
      }
      batch.inputs.feature_begins.push_back(0);
      batch.inputs.character_begins.push_back(0);
      const bool is_hidden = random.below(5) == 0;
      batch.kept.push_back(is_hidden ? 0.0F : 1.0F);
      if (!is_hidden) continue;
      batch.hidden_rows.push_back(static_cast<std::uint32_t>(row));
      batch.gold.push_back(batch.inputs.words.back());
    }
  }
  const NetworkBlocks blocks(shape);
  std::vector<float> weights = initial_weights(shape, 3);
  TaskPool pool(2);
  NetworkStepsOptions options;
  options.precision = Precision::float32;
  const auto processor = make_masked_steps(Device::cpu, shape, batches, 0.2F, weights, options, pool);
  const auto gpu = make_masked_steps(Device::cuda, shape, batches, 0.2F, weights, options, pool);
  const std::vector<std::vector<std::size_t>> parts = {{0, 1}, {2}};
  NetworkStep step;
  step.parts = parts;
  step.seed = 77;
  step.scale = 1.0 / 100;
  step.norm = 1.0F;
  step.adam.beta2 = 0.999F;
  step.adam.epsilon = 1e-8F;
  step.adam.weight_decay = 0.01F;
  compare(*processor, *gpu, blocks, step);
}

}  // namespace
}  // namespace copse
