// A network at work: against the floats that it learnt in, and the same whatever sentences come together.
#include "network/network_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "network/encoder_pass.h"
#include "network/made_up_network.h"
#include "network/spelling_cache.h"
#include "network/training_pass.h"

namespace copse {
namespace {

using testing::made_up_sentence;
using testing::odd_shape;

constexpr std::uint64_t kPassSeed = 20261116;

// Everything that a pass says of a sentence, one number after the other.
std::vector<double> all_scores(NetworkPass& pass, ConstMatrix roles, int words) {
  std::vector<double> all;
  const auto add = [&](ConstMatrix scores) {
    for (std::size_t row = 0; row < scores.rows; ++row) {
      all.insert(all.end(), scores.row(row), scores.row(row) + scores.columns);
    }
  };
  add(pass.arc_scores(roles));
  std::vector<int> heads;
  for (int word = 0; word <= words; ++word) heads.push_back(word == 0 ? -1 : (word * 7) % word);
  add(pass.label_scores(roles, heads));
  ArcSet arcs;
  std::vector<Arc> some;
  for (int modifier = 1; modifier <= words; ++modifier) {
    for (int head = std::max(0, modifier - 2); head <= std::min(words, modifier + 2); ++head) {
      if (head != modifier) some.push_back({head, modifier});
    }
  }
  arcs.assign(words, some);
  PartIndex parts;
  parts.assign(arcs, pass.network().shape().factorization);
  Potentials potentials;
  potentials.assign(parts);
  pass.add_part_scores(roles, parts, potentials);
  for (const PartKind kind : part_kinds(parts.factorization())) {
    all.insert(all.end(), potentials[kind].begin(), potentials[kind].end());
  }
  return all;
}

class NetworkPassTest : public ::testing::TestWithParam<Spelling> {};

TEST_P(NetworkPassTest, SaysTheSameInAnyBatchAndOrder) {
  SCOPED_TRACE(::testing::Message() << "seed " << kPassSeed);
  std::mt19937_64 shuffle(kPassSeed);
  Random random(kPassSeed);
  const Network network = testing::made_up_network(odd_shape(Factorization::grandtrisibling, GetParam()));
  NetworkPass pass(network);
  std::vector<Sentence> sentences;
  for (int k = 0; k < 60; ++k) {
    // Many short ones, some of equal length, a few that need several chunks.
    sentences.push_back(made_up_sentence(random, 1 + static_cast<int>(random.below(k % 20 == 0 ? 250 : 25))));
  }
  std::vector<std::vector<double>> expected;
  std::vector<Sentence> tagged;
  for (const Sentence& sentence : sentences) {  // each by itself
    const EncodedSentences alone = testing::encode(pass, std::span(&sentence, 1));
    expected.push_back(all_scores(pass, alone.roles(0), sentence.size()));
    tagged.push_back(sentence);
    pass.set_tags(alone.roles(0), NetworkPass::Which::all, false, tagged.back());
  }
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), 0);
  for (const std::size_t most : {2U, 7U, 33U, 60U}) {
    std::shuffle(order.begin(), order.end(), shuffle);
    if (most > 7) pass = NetworkPass(network);  // which remembers no spelling yet
    // All batches are encoded before any of them is scored.
    std::vector<EncodedSentences> batches;
    for (std::size_t begin = 0; begin < order.size(); begin += most) {
      std::vector<const Sentence*> batch;
      for (std::size_t k = begin; k < std::min(begin + most, order.size()); ++k) {
        batch.push_back(&sentences[order[k]]);
      }
      pass.encode(batch, batches.emplace_back());
    }
    for (std::size_t begin = 0; begin < order.size(); begin += most) {
      const EncodedSentences& batch = batches[begin / most];
      for (std::size_t k = 0; k < batch.size(); ++k) {
        const std::size_t number = order[begin + k];
        const std::vector<double> found = all_scores(pass, batch.roles(k), sentences[number].size());
        ASSERT_EQ(found.size(), expected[number].size());
        ASSERT_EQ(std::memcmp(found.data(), expected[number].data(), found.size() * sizeof(double)), 0)
            << "sentence " << number << " in batches of " << most;
        Sentence copy = sentences[number];
        pass.set_tags(batch.roles(k), NetworkPass::Which::all, false, copy);
        EXPECT_TRUE(copy.words().size() == tagged[number].words().size());
        for (int word = 1; word <= copy.size(); ++word) {
          ASSERT_EQ(copy[word].columns(), tagged[number][word].columns());
        }
      }
    }
  }
}

TEST(SpellingCache, RemembersUntilAnotherTakesThePlace) {
  SpellingCache cache(3);
  const std::vector<float> one = {1.0F, 2.0F, 3.0F};
  const std::vector<float> other = {4.0F, 5.0F, 6.0F};
  EXPECT_TRUE(cache.find(17).empty());
  cache.add(17, one);
  cache.add(18, other);
  ASSERT_EQ(cache.find(17).size(), 3U);
  EXPECT_EQ(cache.find(17)[2], 3.0F);
  EXPECT_EQ(cache.find(18)[0], 4.0F);
  cache.add(17 + SpellingCache::kPlaces, other);
  EXPECT_TRUE(cache.find(17).empty());
  EXPECT_EQ(cache.find(17 + SpellingCache::kPlaces)[1], 5.0F);
  std::set<std::uint64_t> keys;
  for (const std::vector<std::uint32_t>& word :
       {std::vector<std::uint32_t>{}, {0}, {0, 0}, {1}, {0, 1}, {1, 0}, {1, 0, 0}}) {
    keys.insert(SpellingCache::key_of(word));
  }
  EXPECT_EQ(keys.size(), 7U);
  EXPECT_FALSE(keys.contains(0));
}

// With numbers of the sizes that networks have; see quantised_matrix_test.cc for single products.
TEST_P(NetworkPassTest, IsCloseToFloats) {
  SCOPED_TRACE(::testing::Message() << "seed " << kPassSeed);
  NetworkShape shape = odd_shape(Factorization::grandtrisibling, GetParam());
  shape.hidden = 100;
  shape.word_size = 60;
  shape.spelling_size = 60;
  NetworkDescription description = testing::made_up_description(shape);
  std::vector<float> weights = testing::made_up_weights(description.shape, 5);
  for (float& weight : weights) weight *= 2.0F;  // those to begin with are smaller than learnt ones
  const Network network(description, weights);
  Random random(kPassSeed);
  std::vector<Sentence> sentences;
  for (const int words : {20, 12, 5, 1}) sentences.push_back(made_up_sentence(random, words));
  WordInputs inputs;
  Sequences sequences;
  InputReader reader(description.inputs, description.vectors_or_null(), description.shape);
  for (const Sentence& sentence : sentences) {
    reader.append(sentence, inputs);
    sequences.add(static_cast<std::size_t>(sentence.size()) + 1);
  }
  const NetworkBlocks blocks(description.shape);
  TrainingWeights floats(blocks);
  floats.assign(weights);
  TrainingPass exact(description.shape, blocks, description.vectors_or_null());
  const ConstMatrix expected = exact.forward(inputs, sequences, floats, DropoutPlan());
  EncoderPass pass(network);
  const ConstMatrix found = pass.run(inputs, sequences);
  ASSERT_EQ(found.rows, expected.rows);
  ASSERT_EQ(found.columns, expected.columns);
  double squares = 0.0;
  double errors = 0.0;
  for (std::size_t row = 0; row < found.rows; ++row) {
    for (std::size_t k = 0; k < found.columns; ++k) {
      const double right = expected.row(row)[k];
      const double error = found.row(row)[k] - right;
      squares += right * right;
      errors += error * error;
    }
  }
  const double relative = std::sqrt(errors / squares);
  EXPECT_LT(relative, 0.03);
  EXPECT_GT(relative, 1e-5);  // it is not the same computation
  RecordProperty("relative_error", std::to_string(relative));
  std::printf("relative error of roles: %.4f\n", relative);
}

std::string name_of_case(const ::testing::TestParamInfo<Spelling>& instance) {
  constexpr const char* kNames[] = {"affixes", "characters", "both"};
  return kNames[static_cast<int>(instance.param)];
}
INSTANTIATE_TEST_SUITE_P(Spellings, NetworkPassTest,
                         ::testing::Values(Spelling::affixes, Spelling::characters, Spelling::both),
                         name_of_case);

}  // namespace
}  // namespace copse
