#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learning/batch_loss.h"
#include "learning/network_loss_options.h"
#include "learning/sentence_tree_loss.h"
#include "learning/training_set.h"
#include "network/arc_biaffine.h"
#include "network/label_biaffine.h"
#include "network/network_description.h"
#include "network/tag_classifier.h"
#include "network/training_pass.h"

namespace copse {

// A sentence to learn from, in numbers.
struct NetworkExample {
  const TrainingSentence* sentence = nullptr;
  std::vector<std::int32_t> labels;  // by word; below 0: not known
  // By column of NetworkDescription::tags and word; below 0: not known.
  std::vector<std::vector<std::int32_t>> tags;
};
NetworkExample make_network_example(const TrainingSentence& sentence, const NetworkDescription& network);

// The loss of some sentences: of their trees, labels and tags.
class NetworkLoss : public BatchLoss {
 public:
  // Borrows the network, its blocks and the examples.
  NetworkLoss(const NetworkDescription& network, const NetworkBlocks& blocks,
              std::span<const NetworkExample> examples, const NetworkLossOptions& options);

  double run(std::span<const std::size_t> batch, const TrainingWeights& weights, std::uint64_t seed,
             Gradients& gradients) override;

 private:
  double lose_labels(const TrainingWeights& weights, Gradients& gradients);
  double lose_tags(const TrainingWeights& weights, Gradients& gradients);

  const NetworkDescription* network_;
  std::span<const NetworkExample> examples_;
  NetworkLossOptions options_;
  InputReader reader_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::size_t> order_;  // of the batch: the longest first
  TrainingPass pass_;
  Matrix roles_;
  std::vector<float> role_gradient_;
  ArcBiaffine arc_biaffine_;
  SentenceTreeLoss tree_loss_;
  LabelBiaffine label_biaffine_;
  TagClassifier tag_classifier_;
  std::vector<float> scores_;  // [modifier][head] of one sentence
  std::vector<float> score_gradient_;
  std::vector<RowArc> label_arcs_;
  std::vector<std::uint32_t> gold_labels_;
  std::vector<TagClassifier::Gold> gold_tags_;
};

}  // namespace copse
