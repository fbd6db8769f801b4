#pragma once

#include <memory>
#include <vector>

#include "learning/batch_loss.h"
#include "learning/network_steps.h"
#include "parallel/task_pool.h"

namespace copse {

// How steps are done, whatever the machine.
struct NetworkStepsOptions {
  // Parts of a batch, at most. With more of them, products of matrices get too small to be quick.
  std::size_t parts = 4;
  Precision precision = Precision::float32;
  std::vector<RateRange> rates;  // apart from each other; all other weights learn at the rate of the step
};

// Steps on processors, the parts of a batch worked on by as many threads at most. What comes out of the parts
// is added up in their order: so the weights are the same for any number of threads.
class ProcessorSteps : public NetworkSteps {
 public:
  // Borrows the pool.
  ProcessorSteps(const NetworkShape& shape, const MakeBatchLoss& make_loss, std::vector<float> weights,
                 NetworkStepsOptions options, TaskPool& pool);

  NetworkStepReport step(const NetworkStep& step) override;
  const NetworkState& state() override { return state_; }
  void restore(NetworkState state) override { state_ = std::move(state); }

 private:
  double add_up(std::size_t parts);
  void update(const AdamStep& adam);
  void update(std::size_t offset, std::span<const float> gradient, bool averages, const AdamStep& adam);

  NetworkBlocks blocks_;
  NetworkStepsOptions options_;
  TaskPool* pool_;
  NetworkState state_;
  TrainingWeights training_weights_;
  std::vector<std::unique_ptr<BatchLoss>> losses_;  // by thread
  std::vector<Gradients> gradients_;                // by part of a batch
  std::vector<double> part_losses_;
  Gradients sum_;
};

}  // namespace copse
