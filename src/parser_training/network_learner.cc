#include "parser_training/network_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "copse/setting_error.h"
#include "features/hashing.h"

namespace copse {

NetworkLearner::NetworkLearner(BatchSchedule& schedule, const NetworkLearnerOptions& options,
                               std::unique_ptr<NetworkSteps> steps, OnStep on_step)
    : schedule_(&schedule), options_(options), steps_(std::move(steps)), on_step_(std::move(on_step)) {}

bool NetworkLearner::iterate() {
  double loss = 0.0;
  std::uint64_t units = 0;
  for (bool goes_on = true; goes_on;) {
    const ScheduledBatch batch = schedule_->next();
    goes_on = !batch.ends_iteration;
    if (batch.units == 0) continue;
    const NetworkStepReport report = step(batch);
    loss += report.loss;
    units += batch.units;
    gradient_norm_ = report.gradient_norm;
    if (!std::isfinite(gradient_norm_) || !std::isfinite(loss)) {
      throw SettingError(
          fmt::format(
              "the loss is no longer a number, in {}; go on from the last checkpoint, or begin again, "
              "at a lower rate",
              schedule_->describe(steps_done_)),
          "rate");
    }
    objective_ = schedule_->objective(loss, units);
    if (on_step_) on_step_(objective_);
  }
  return true;
}

NetworkStepReport NetworkLearner::step(const ScheduledBatch& batch) {
  NetworkStep step;
  step.parts = batch.parts;
  step.seed = mix(mix(options_.seed) + steps_done_);
  ++steps_done_;
  step.scale = 1.0 / static_cast<double>(batch.units);
  step.norm = options_.norm;
  step.adam = options_.adam;
  step.adam.rate = schedule_->rate(steps_done_);
  // The first averages are not to remember the weights that there were before learning.
  const auto steps = static_cast<double>(steps_done_);
  step.adam.average_decay =
      static_cast<float>(std::min<double>(options_.average_decay, (steps + 1.0) / (steps + 10.0)));
  step.adam.set_time(static_cast<long>(steps_done_));
  return steps_->step(step);
}

void NetworkLearner::save(SectionFileWriter& file) const {
  add_state(steps_->state(), file);
  ByteWriter progress;
  schedule_->save(progress);
  progress.u64(steps_done_);
  progress.f64(objective_);
  progress.f64(gradient_norm_);
  file.add(schedule_->section(), progress.take());
}

void NetworkLearner::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  NetworkState state = begin_state(std::vector<float>(steps_->average().size()));
  restore_state(file, state);
  steps_->restore(std::move(state));
  ByteReader progress = file.reader(schedule_->section());
  schedule_->restore(progress);
  steps_done_ = progress.u64();
  objective_ = progress.f64();
  gradient_norm_ = progress.f64();
  progress.expect_end();
}

}  // namespace copse
