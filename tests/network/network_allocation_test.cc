// A pass that has seen the largest batch allocates no more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "counted_allocations.h"
#include "network/made_up_network.h"
#include "network/network_pass.h"

namespace copse {
namespace {

constexpr int kMostWords = 40;
constexpr std::size_t kMostSentences = 20;

class NetworkAllocation : public ::testing::TestWithParam<Spelling> {};

TEST_P(NetworkAllocation, NothingAfterTheLargestBatch) {
  constexpr std::uint64_t kSeed = 20261116;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  const Network network =
      testing::made_up_network(testing::odd_shape(Factorization::grandtrisibling, GetParam()));
  NetworkPass pass(network);
  ArcSet arcs;
  PartIndex parts;
  Potentials potentials;
  const std::vector<int> heads(kMostWords + 1, 0);
  double sum = 0.0;
  std::vector<const Sentence*> pointers;
  pointers.reserve(kMostSentences);
  EncodedSentences encoded;
  const auto run = [&](const std::vector<Sentence>& sentences) {
    pointers.clear();
    for (const Sentence& sentence : sentences) pointers.push_back(&sentence);
    pass.encode(pointers, encoded);
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      arcs.assign_all(std::min(sentences[k].size(), 12));  // the roles of some words
      parts.assign(arcs, Factorization::grandtrisibling);
      potentials.assign(parts);
      const ConstMatrix roles = encoded.roles(k);
      sum += pass.arc_scores(roles).row(1)[0];
      pass.add_part_scores(roles, parts, potentials);
      sum += pass.label_scores(roles, std::span(heads).first(roles.rows)).row(1)[0];
    }
  };
  const auto batch = [&](std::size_t count, bool is_largest) {
    std::vector<Sentence> sentences;
    for (std::size_t k = 0; k < count; ++k) {
      const int words = is_largest ? kMostWords : 1 + static_cast<int>(random.below(kMostWords));
      Sentence& sentence = sentences.emplace_back(testing::made_up_sentence(random, words));
      if (!is_largest) continue;
      for (int word = 1; word <= words; ++word) {
        // All of them different, as long as they can be, and with all features.
        sentence[word].set_form("abcdefghijklmnopqrst" +
                                std::to_string(k * 100 + static_cast<std::size_t>(word)));
        sentence[word].set_feats("Case=Nom|Case=Acc|Number=Sing");
      }
    }
    return sentences;
  };
  long before = allocations;
  run(batch(kMostSentences, true));
  EXPECT_GT(allocations, before);
  // oneDNN makes its kernels when sizes of a kind first come.
  for (int words = 1; words <= kMostWords; ++words) run({testing::made_up_sentence(random, words)});
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<Sentence> sentences = batch(1 + random.below(kMostSentences), false);
    before = allocations;
    run(sentences);
    ASSERT_EQ(allocations, before) << "trial " << trial << ", " << sentences.size() << " sentences";
  }
  EXPECT_TRUE(std::isfinite(sum));
}

INSTANTIATE_TEST_SUITE_P(Spellings, NetworkAllocation,
                         ::testing::Values(Spelling::affixes, Spelling::characters, Spelling::both));

}  // namespace
}  // namespace copse
