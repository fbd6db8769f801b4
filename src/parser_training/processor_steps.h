#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "copse/parallel/device.h"
#include "parallel/task_pool.h"
#include "parser_training/batch_loss.h"
#include "parser_training/divided_state.h"
#include "parser_training/gradient_total.h"
#include "parser_training/network_steps.h"

namespace copse {

// How steps are done, whatever the machine.
struct NetworkStepsOptions {
  // Parts of a batch, at most. With more of them, products of matrices get too small to be quick.
  std::size_t parts = 4;
  Precision precision = Precision::float32;
  std::vector<RateRange> rates;  // apart from each other; all other weights learn at the rate of the step
};

// The precision of products that is asked for, or else the quickest that the machines of all processes of a
// team have.
Precision common_precision(Team& team, std::optional<Precision> precision, Device device);

// Throws DataError for a device that is not there, that the program was built without, or that cannot learn
// in a team.
void expect_device(Device device, const Team& team);

// Steps on processors. Part k of a batch is worked on by rank k % size of the pool's team, by one of its
// threads. What comes out of the parts is added up in their order: so the weights are the same for any number
// of threads and processes. Every process updates its share of the weights, and then they all get all of
// them.
class ProcessorSteps : public NetworkSteps {
 public:
  // Borrows the pool. The weights are those of rank 0.
  ProcessorSteps(const NetworkShape& shape, const MakeBatchLoss& make_loss, std::vector<float> weights,
                 NetworkStepsOptions options, TaskPool& pool);

  Team& team() const override { return pool_->team(); }
  NetworkStepReport step(const NetworkStep& step) override;
  const NetworkState& state() override { return state_.state(); }
  std::span<const float> average() override { return state_.average(); }
  void restore(NetworkState state) override { state_.assign(std::move(state)); }

 private:
  void work_on_parts(const NetworkStep& step, std::size_t own);
  void update(const AdamStep& adam);
  void update(std::size_t offset, std::span<const float> gradient, const AdamStep& adam);

  NetworkBlocks blocks_;
  NetworkStepsOptions options_;
  TaskPool* pool_;
  DividedState state_;
  TrainingWeights training_weights_;
  std::vector<std::unique_ptr<BatchLoss>> losses_;  // by thread
  std::vector<Gradients> gradients_;                // by part of a batch, of those that are this process's
  std::vector<double> part_losses_;                 // likewise
  GradientTotal total_;
};

}  // namespace copse
