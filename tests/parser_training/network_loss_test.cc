// The gradient of a network's whole loss, of every block of its weights, against finite differences.
#include "parser_training/network_loss.h"

#include <gtest/gtest.h>

#include "parser_training/describe_network.h"
#include "parser_training/finite_differences.h"

namespace copse {
namespace {

// Random sentences over a few words, with projective trees about a random word: either each word hangs on its
// neighbour, or all hang on that one, which gives siblings.
std::vector<TrainingSentence> random_sentences(Random& random, int count) {
  std::vector<TrainingSentence> sentences;
  for (int k = 0; k < count; ++k) {
    TrainingSentence& example = sentences.emplace_back();
    const int words = 1 + static_cast<int>(random.below(6));
    example.heads.assign(1, kNoHead);
    const int root = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(words)));
    for (int word = 1; word <= words; ++word) {
      Token& token = example.sentence.add_word("w" + std::to_string(random.below(7)));
      const int head = word == root ? 0 : k % 2 == 1 ? root : word < root ? word + 1 : word - 1;
      token.set_head(head);
      token.set_upos(random.below(2) == 0 ? "A" : "B");
      token.set_xpos("X" + std::to_string(random.below(3)));
      token.set_feats(random.below(2) == 0 ? "Case=Nom|Number=Sing" : "Case=Acc");
      token.set_lemma(token.form());
      token.set_deprel(head == 0 ? "root" : random.below(2) == 0 ? "a" : "b");
      example.heads.push_back(head);
    }
    if (k % 3 == 2 && words > 1) {  // a partial tree
      example.heads[1] = kNoHead;
      example.is_complete = false;
    }
  }
  return sentences;
}

NetworkShape tiny_shape(Factorization factorization) {
  NetworkShape shape;
  shape.word_size = 6;
  shape.affix_rows = 11;
  shape.affix_size = 4;
  shape.spelling_size = 6;
  shape.character_size = 5;
  shape.tag_size = 3;
  shape.layers = 2;
  shape.hidden = 5;
  shape.factorization = factorization;
  shape.arc_size = 7;
  shape.label_size = 4;
  shape.rank = 16;
  shape.tag_hidden = 6;
  return shape;
}

struct LossCase {
  Factorization factorization;
  bool is_local = false;
  double margin = 0.0;
  TreeSpace trees = RootMode::single;
  Spelling spelling = Spelling::affixes;
  // Which arcs are candidates must not change from one point to the next.
  double prune_threshold = 1e-9;
};

class NetworkGradient : public ::testing::TestWithParam<LossCase> {};

TEST_P(NetworkGradient, AgreesWithFiniteDifferencesInEveryBlock) {
  constexpr std::uint64_t kSeed = 20261116;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  const std::vector<TrainingSentence> sentences = random_sentences(random, 6);
  NetworkShape shape = tiny_shape(GetParam().factorization);
  shape.spelling = GetParam().spelling;
  WordVectorsBuilder vectors(5);
  for (int word = 0; word < 4; ++word) {
    std::vector<float> values(5);
    for (float& value : values) value = random.normal();
    vectors.add("w" + std::to_string(word), values);
  }
  const NetworkDescription network = describe_network(sentences, shape, {true, true, true, vectors.build()});
  const NetworkBlocks blocks(network.shape);
  std::vector<NetworkExample> examples;
  for (const TrainingSentence& sentence : sentences) {
    examples.push_back(make_network_example(sentence, network));
  }
  NetworkLossOptions options;
  options.trees = GetParam().trees;
  options.is_local = GetParam().is_local;
  options.margin = GetParam().margin;
  options.prune_threshold = GetParam().prune_threshold;
  NetworkLoss loss(network, blocks, examples, options);
  std::vector<float> weights = initial_weights(network.shape, 3);
  // Those that begin with zeros would hide mistakes.
  for (float& weight : weights) {
    if (weight == 0.0F) weight = 0.3F * random.normal();
  }
  // So would larger parts that hardly count, as products of small numbers do.
  const Matrix role_bias = blocks.roles.bias.in(std::span(weights));
  for (std::size_t k = 0; k < blocks.roles.bias.size(); ++k) role_bias.data[k] += 1.0F;
  TrainingWeights at(blocks);
  Gradients gradients(blocks);
  Gradients ignored(blocks);
  const std::vector<std::size_t> batch = {0, 1, 2, 3, 4, 5};
  const auto value = [&](Gradients& result) {
    at.assign(weights);
    return loss.run(batch, at, 7, result);
  };
  const double here = value(gradients);
  EXPECT_GT(here, 0.0);
  for (const NetworkBlocks::Part& part : blocks.parts) {
    for (const Block* block : part.blocks()) {
      // There is nothing to say about the only modifier of the root.
      const bool is_constant = block == &part.no_grandparent && GetParam().trees.root == RootMode::single;
      if (block->size() == 0 || is_constant) continue;
      double squares = 0.0;
      for (const float number : gradients.dense().subspan(block->offset, block->size())) {
        squares += static_cast<double>(number) * number;
      }
      EXPECT_GT(squares, 0.1) << block->name << " is lost in the tolerance";
    }
  }
  testing::expect_gradient(
      blocks, gradients, weights, [&] { return value(ignored); }, random);
}

INSTANTIATE_TEST_SUITE_P(
    Losses, NetworkGradient,
    ::testing::Values(LossCase{Factorization::first, true}, LossCase{Factorization::first},
                      LossCase{Factorization::first, false, 1.0, RootMode::multi},
                      LossCase{Factorization::first, false, 0.0, {RootMode::single, TreeKind::nonprojective}},
                      LossCase{Factorization::sibling}, LossCase{Factorization::grandchild},
                      LossCase{Factorization::grandsibling},
                      LossCase{Factorization::grandsibling, false, 1.0, RootMode::multi},
                      LossCase{Factorization::outermost}, LossCase{Factorization::trisibling},
                      LossCase{Factorization::trisibling, false, 1.0, RootMode::multi},
                      LossCase{Factorization::grandtrisibling},
                      LossCase{Factorization::grandtrisibling, false, 1.0, RootMode::multi},
                      LossCase{Factorization::sibling, false, 0.0, RootMode::single, Spelling::characters},
                      LossCase{Factorization::sibling, false, 0.0, RootMode::single, Spelling::both},
                      LossCase{Factorization::grandsibling, false, 1.0, RootMode::single, Spelling::affixes,
                               0.0}));

}  // namespace
}  // namespace copse
