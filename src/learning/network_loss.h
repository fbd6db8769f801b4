#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/sentence_parts.h"
#include "learning/training_set.h"
#include "learning/tree_loss.h"
#include "network/arc_biaffine.h"
#include "network/label_biaffine.h"
#include "network/low_rank_parts.h"
#include "network/network_description.h"
#include "network/tag_classifier.h"
#include "network/training_pass.h"

namespace copse {

// What the loss of a network consists of.
struct NetworkLossOptions {
  TreeSpace trees = RootMode::multi;
  // Every word chooses its head by itself, as if there were no trees: quicker to compute, first order only.
  bool is_local = false;
  // Added to the score of every wrong arc; see TrainingOptions::margin.
  double margin = 0.0;
  double prune_threshold = 4e-4;
  // Of the first-order model that chooses candidates, beside the whole one.
  double first_order_weight = 0.5;
  float label_weight = 1.0F;
  float tag_weight = 0.3F;
  float dropout = 0.33F;
};

// A sentence to learn from, in numbers.
struct NetworkExample {
  const TrainingSentence* sentence = nullptr;
  std::vector<std::int32_t> labels;  // by word; below 0: not known
  // By column of NetworkDescription::tags and word; below 0: not known.
  std::vector<std::vector<std::int32_t>> tags;
};
NetworkExample make_network_example(const TrainingSentence& sentence, const NetworkDescription& network);

// The loss of some sentences, and its gradient. A workspace for one thread.
class NetworkLoss {
 public:
  // Borrows the network and its blocks.
  NetworkLoss(const NetworkDescription& network, const NetworkBlocks& blocks,
              const NetworkLossOptions& options);

  // The sentences are those whose numbers are given. Sets the gradient. `seed` decides what is dropped.
  double run(std::span<const NetworkExample> examples, std::span<const std::size_t> batch,
             const TrainingWeights& weights, std::uint64_t seed, Gradients& gradients);

 private:
  double lose_trees(const NetworkExample& example, RowRange rows);
  double lose_locally(const NetworkExample& example, RowRange rows);
  double lose_large_parts(const NetworkExample& example, RowRange rows, const TrainingWeights& weights,
                          Gradients& gradients);
  double lose_labels(std::span<const NetworkExample> examples, const TrainingWeights& weights,
                     Gradients& gradients);
  double lose_tags(std::span<const NetworkExample> examples, const TrainingWeights& weights,
                   Gradients& gradients);
  void choose_candidates(const NetworkExample& example);

  const NetworkDescription* network_;
  NetworkLossOptions options_;
  RoleColumns columns_;
  InputReader reader_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::size_t> order_;  // of the batch: the longest first
  TrainingPass pass_;
  Matrix roles_;
  std::vector<float> role_gradient_;
  ArcBiaffine arc_biaffine_;
  LowRankParts low_rank_parts_;
  LabelBiaffine label_biaffine_;
  TagClassifier tag_classifier_;
  std::vector<float> scores_;  // [modifier][head] of one sentence
  std::vector<float> score_gradient_;

  SentenceParts arcs_;
  Potentials arc_potentials_;
  TreeLoss arc_loss_;
  std::vector<Arc> candidates_;
  SentenceParts parts_;
  Potentials potentials_;
  TreeLoss part_loss_;

  std::vector<RowArc> label_arcs_;
  std::vector<std::uint32_t> gold_labels_;
  std::vector<TagClassifier::Gold> gold_tags_;
};

}  // namespace copse
