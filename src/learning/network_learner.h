#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learning/network_loss.h"
#include "network/adam_kernels.h"
#include "optimisation/learner.h"
#include "parallel/task_pool.h"

namespace copse {

struct NetworkLearnerOptions {
  int passes = 0;                  // that there will be: the rate falls to zero until then
  float rate = 2e-3F;              // of the first step
  std::size_t batch_words = 1000;  // for each step
  // In how many parts a batch is worked on, by as many threads at most. With more of them, products of
  // matrices get too small to be quick.
  std::size_t parts = 4;
  float norm = 5.0F;  // gradients are cut to this length
  float average_decay = 0.998F;
  std::uint64_t seed = 1;
  Precision precision = Precision::float32;
};

// Adam over the passes of a treebank, with batches that are worked on in parts, each by one thread. The parts
// are made without regard to threads, and what comes out of them is added up in their order: so the weights
// are the same for any number of threads.
class NetworkLearner : public Learner {
 public:
  // Borrows network, examples and pool.
  NetworkLearner(const NetworkDescription& network, std::span<const NetworkExample> examples,
                 const NetworkLossOptions& loss, const NetworkLearnerOptions& options, TaskPool& pool);

  bool iterate() override;
  LearnerProgress progress() const override { return {loss_, gradient_norm_}; }
  // The running average.
  std::span<const float> weights() override { return average_; }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  using Batch = std::vector<std::size_t>;  // numbers of examples

  // Parts of batches in a new order, each of sentences of about the same length.
  std::vector<Batch> deal_out();
  void step(std::span<const Batch> parts);
  double add_up(std::size_t parts);
  float rate() const;

  NetworkBlocks blocks_;
  std::span<const NetworkExample> examples_;
  NetworkLearnerOptions options_;
  TaskPool* pool_;
  std::size_t steps_in_pass_ = 1;

  std::vector<float> weights_;
  std::vector<float> first_moments_;
  std::vector<float> second_moments_;
  std::vector<float> average_;
  std::uint64_t passes_ = 0;
  std::uint64_t steps_ = 0;

  TrainingWeights training_weights_;
  std::vector<NetworkLoss> losses_;   // by thread
  std::vector<Gradients> gradients_;  // by part of a batch
  std::vector<double> part_losses_;
  Gradients sum_;
  double loss_ = 0.0;
  double gradient_norm_ = 0.0;
};

}  // namespace copse
