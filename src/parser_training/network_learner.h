#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "optimisers/learner.h"
#include "parser_training/batch_schedule.h"
#include "parser_training/network_steps.h"

namespace copse {

struct NetworkLearnerOptions {
  AdamStep adam;      // but for what changes from step to step
  float norm = 5.0F;  // gradients are cut to this length
  float average_decay = 0.998F;
  std::uint64_t seed = 1;
};

// Adam over the batches of a schedule. The steps themselves are done elsewhere.
class NetworkLearner : public Learner {
 public:
  // Hears of every step, with the objective of the iteration so far.
  using OnStep = std::function<void(double objective)>;

  // Borrows the schedule, whose batches are made of the examples of the steps.
  NetworkLearner(BatchSchedule& schedule, const NetworkLearnerOptions& options,
                 std::unique_ptr<NetworkSteps> steps, OnStep on_step = nullptr);

  Team& team() const override { return steps_->team(); }
  bool iterate() override;
  LearnerProgress progress() const override { return {objective_, gradient_norm_}; }
  // The running average.
  std::span<const float> weights() override { return steps_->average(); }
  void prepare_save() override { steps_->state(); }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  NetworkStepReport step(const ScheduledBatch& batch);

  BatchSchedule* schedule_;
  NetworkLearnerOptions options_;
  std::unique_ptr<NetworkSteps> steps_;
  OnStep on_step_;
  std::uint64_t steps_done_ = 0;
  double objective_ = 0.0;
  double gradient_norm_ = 0.0;
};

}  // namespace copse
