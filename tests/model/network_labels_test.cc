// Labels by a network: of the labels that an arc may have, the one of the highest score, with its share of
// the sum.
#include "model/network_labels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/network_potentials.h"
#include "network/made_up_network.h"

namespace copse::testing {
namespace {

class NetworkLabelsTest : public ::testing::Test {
 protected:
  NetworkLabelsTest() {
    // Label 0 at the root alone, 4 at both.
    for (const Label label : std::vector<Label>{0, 4}) root_.count(label, ArcPlace::at_root);
    for (const Label label : std::vector<Label>{1, 2, 3, 4}) root_.count(label, ArcPlace::inside);
    Random random(5);
    sentence_ = made_up_sentence(random, 12);
    batch_.sentences = {&sentence_};
    pass_.encode(batch_.sentences, batch_.encoded);
  }

  const std::vector<std::string>& names() const { return network_.description().labels; }

  // The best of the labels, by name, and its probability.
  std::pair<std::string, double> best(const float* scores, std::span<const Label> labels) const {
    double sum = 0.0;
    Label best = labels.front();
    for (const Label label : labels) {
      sum += std::exp(static_cast<double>(scores[label]));
      if (scores[label] > scores[best]) best = label;
    }
    return {names()[best], std::exp(static_cast<double>(scores[best])) / sum};
  }

  Network network_ = made_up_network(odd_shape(Factorization::first));
  NetworkPass pass_{network_};
  RootLabels root_{5};
  Sentence sentence_;
  PreparedBatch batch_;
  // Of words 1 to 12; the 5th has none, the 2nd and 9th hang on the root.
  std::vector<int> heads_ = {-1, 2, 0, 2, 3, kNoHead, 3, 6, 9, 0, 9, 9, 11};
};

TEST_F(NetworkLabelsTest, AreTheBestThatAnArcMayHave) {
  NetworkLabels labeller(pass_, root_);
  std::vector<std::string> labels;
  std::vector<double> probabilities;
  labeller.label({batch_, 0}, heads_, {}, labels, &probabilities);
  const ConstMatrix scores = pass_.label_scores(batch_.encoded.roles(0), heads_);
  ASSERT_EQ(labels.size(), heads_.size());
  ASSERT_EQ(probabilities.size(), heads_.size());
  for (std::size_t word = 1; word < heads_.size(); ++word) {
    if (heads_[word] == kNoHead) {
      EXPECT_EQ(labels[word], "_");
      EXPECT_EQ(probabilities[word], 0.0);
      continue;
    }
    const std::vector<Label> allowed =
        heads_[word] == 0 ? std::vector<Label>{0, 4} : std::vector<Label>{1, 2, 3, 4};
    const auto [label, probability] = best(scores.row(word), allowed);
    EXPECT_EQ(labels[word], label) << word;
    EXPECT_NEAR(probabilities[word], probability, 1e-12) << word;
  }
}

TEST_F(NetworkLabelsTest, KnownLabelsLeaveTheOthersOut) {
  NetworkLabels labeller(pass_, root_);
  const std::vector<Label> two = {1, 3};
  const std::vector<Label> at_root_alone = {0};
  std::vector<std::span<const Label>> known(heads_.size());
  known[1] = two;
  known[3] = at_root_alone;  // which this arc cannot have
  std::vector<std::string> labels;
  std::vector<std::string> free;
  std::vector<double> probabilities;
  labeller.label({batch_, 0}, heads_, {}, free, nullptr);
  labeller.label({batch_, 0}, heads_, known, labels, &probabilities);
  const ConstMatrix scores = pass_.label_scores(batch_.encoded.roles(0), heads_);
  const auto [label, probability] = best(scores.row(1), two);
  EXPECT_EQ(labels[1], label);
  EXPECT_NEAR(probabilities[1], probability, 1e-12);
  for (std::size_t word = 2; word < heads_.size(); ++word) EXPECT_EQ(labels[word], free[word]) << word;
}

// Before trees are known, and afterwards: one network, one answer.
TEST_F(NetworkLabelsTest, AgreeWithTheScoresOfCandidateArcs) {
  NetworkPotentials potentials(pass_, &root_);
  NetworkLabels labeller(pass_, root_);
  ArcSet arcs;
  arcs.assign_all(sentence_.size());
  PartIndex parts;
  parts.assign(arcs, Factorization::first);
  Potentials of_parts;
  potentials.assign({batch_, 0});
  potentials.score(parts, 1.0, of_parts);
  std::vector<std::string> labels;
  std::vector<double> probabilities;
  labeller.label({batch_, 0}, heads_, {}, labels, &probabilities);
  for (std::size_t word = 1; word < heads_.size(); ++word) {
    if (heads_[word] == kNoHead) continue;
    const ArcLabels of_arc = potentials.score_labels(arcs.find(heads_[word], static_cast<int>(word)));
    double sum = 0.0;
    double highest = 0.0;
    for (std::size_t k = 0; k < of_arc.labels.size(); ++k) {
      const double probability = std::exp(of_arc.scores[k]);
      sum += probability;
      highest = std::max(highest, probability);
      if (names()[of_arc.labels[k]] == labels[word]) {
        EXPECT_EQ(probability, probabilities[word]);
      }
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_EQ(highest, probabilities[word]);
  }
}

}  // namespace
}  // namespace copse::testing
