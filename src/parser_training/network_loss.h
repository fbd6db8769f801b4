#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/arc_biaffine.h"
#include "network/training_pass.h"
#include "parser_training/batch_loss.h"
#include "parser_training/gold_outputs.h"
#include "parser_training/network_example.h"
#include "parser_training/network_loss_options.h"
#include "parser_training/sentence_tree_loss.h"

namespace copse {

// The loss of some sentences: of their trees, labels and tags.
class NetworkLoss : public BatchLoss {
 public:
  // Borrows the network, its blocks and the examples.
  NetworkLoss(const NetworkDescription& network, const NetworkBlocks& blocks,
              std::span<const NetworkExample> examples, const NetworkLossOptions& options);

  double run(std::span<const std::size_t> batch, const TrainingWeights& weights, std::uint64_t seed,
             Gradients& gradients) override;

 private:
  const NetworkDescription* network_;
  std::span<const NetworkExample> examples_;
  NetworkLossOptions options_;
  InputReader reader_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::size_t> order_;  // of the batch: the longest first
  DropoutPlan dropout_;
  TrainingPass pass_;
  Matrix roles_;
  std::vector<float> role_gradient_;
  ArcBiaffine arc_biaffine_;
  SentenceTreeLoss tree_loss_;
  LabelBiaffine label_biaffine_;
  TagClassifier tag_classifier_;
  std::vector<float> scores_;  // [modifier][head] of one sentence
  std::vector<float> score_gradient_;
  GoldOutputs gold_;
};

}  // namespace copse
