#pragma once

#include <span>
#include <vector>

#include "network/masked_words.h"
#include "network/training_encoder.h"
#include "parser_training/batch_loss.h"

namespace copse {

// How well an encoder guesses hidden words: minus the sum of the logarithms of their probabilities. At every
// hidden word, the encoder's output becomes y = gain · (x - mean) / deviation + shift, with x =
// rectifier(output · weights + bias), and words are as probable as exp(y · their row of the table + their
// bias).
class MaskedWordLoss : public BatchLoss {
 public:
  // Added to the variance, as is usual.
  static constexpr float kVarianceFloor = 1e-5F;

  // Borrows the shape, its blocks and the batches, which are the examples.
  MaskedWordLoss(const NetworkShape& shape, const NetworkBlocks& blocks, std::span<const MaskedBatch> batches,
                 float dropout)
      : blocks_(&blocks), batches_(batches), dropout_(dropout), encoder_(shape, blocks, nullptr) {}

  double run(std::span<const std::size_t> examples, const TrainingWeights& weights, std::uint64_t seed,
             Gradients& gradients) override;

 private:
  double guess(const MaskedBatch& batch, ConstMatrix output, const TrainingWeights& weights,
               Gradients& gradients);
  void normalise(const TrainingWeights& weights);
  void normalise_backward(const TrainingWeights& weights, Gradients& gradients);
  double lose(std::span<const std::uint32_t> gold, const TrainingWeights& weights, Gradients& gradients);

  const NetworkBlocks* blocks_;
  std::span<const MaskedBatch> batches_;
  float dropout_;
  DropoutPlan plan_;
  TrainingEncoder encoder_;
  std::vector<float> hidden_;      // the encoder's output at hidden words
  std::vector<float> rectified_;   // [hidden word][word_size], and so are the next
  std::vector<float> normal_;      // before gain and shift
  std::vector<float> deviations_;  // by hidden word: 1 / them
  std::vector<float> queries_;     // y
  std::vector<float> query_gradient_;
  std::vector<float> hidden_gradient_;
  std::vector<float> scores_;
  std::vector<float> output_gradient_;
};

}  // namespace copse
