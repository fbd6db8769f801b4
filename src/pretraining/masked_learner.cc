#include "pretraining/masked_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "copse/error.h"
#include "features/hashing.h"

namespace copse {
namespace {

constexpr std::string_view kProgress = "pretraining/progress";
constexpr std::uint64_t kWarmUp = 300;
constexpr double kLeastRate = 0.05;

}  // namespace

MaskedLearner::MaskedLearner(MaskedBatchSource& batches, std::uint64_t words,
                             const MaskedBatchOptions& batching, const MaskedLearnerOptions& options,
                             std::unique_ptr<NetworkSteps> steps, OnStep on_step)
    : batches_(&batches),
      total_words_(words * static_cast<std::uint64_t>(batching.passes)),
      // A short run has fewer steps than that, and must not spend most of them on beginning.
      warm_up_(std::clamp<std::uint64_t>(total_words_ / batching.batch_words / 10, 1, kWarmUp)),
      options_(options),
      steps_(std::move(steps)),
      on_step_(std::move(on_step)) {}

float MaskedLearner::rate() const {
  const double rise = static_cast<double>(steps_done_) / static_cast<double>(warm_up_);
  const double done = static_cast<double>(words_done_) / static_cast<double>(total_words_);
  return options_.rate * static_cast<float>(std::min(rise, 1.0) * (1.0 - (1.0 - kLeastRate) * done));
}

bool MaskedLearner::iterate() {
  double loss = 0.0;
  std::uint64_t hidden = 0;
  for (bool goes_on = true; goes_on;) {
    const MaskedBatchSource::Step& batch = batches_->next();
    goes_on = !batch.ends_window;
    words_done_ += batch.words;
    if (batch.hidden == 0) continue;  // a window of unknown words
    const NetworkStepReport report = step(batch);
    loss += report.loss;
    gradient_norm_ = report.gradient_norm;
    hidden += batch.hidden;
    if (!std::isfinite(loss) || !std::isfinite(gradient_norm_)) {
      throw DataError(fmt::format(
          "the loss is no longer a number, in step {}; try a lower rate (--rate), from the last checkpoint "
          "with --resume or anew",
          steps_done_));
    }
    loss_ = loss / static_cast<double>(hidden);
    if (on_step_) on_step_({words_done_, total_words_, steps_done_, loss_, batch.ends_window});
  }
  ++windows_done_;
  return true;
}

NetworkStepReport MaskedLearner::step(const MaskedBatchSource::Step& batch) {
  NetworkStep step;
  step.parts = batch.parts;
  step.seed = mix(mix(options_.seed) + steps_done_);
  ++steps_done_;
  step.scale = 1.0 / static_cast<double>(batch.hidden);
  step.norm = options_.norm;
  step.adam.rate = rate();
  step.adam.beta2 = 0.999F;
  step.adam.epsilon = 1e-8F;
  step.adam.weight_decay = options_.weight_decay;
  const auto steps = static_cast<double>(steps_done_);
  step.adam.average_decay =
      static_cast<float>(std::min<double>(options_.average_decay, (steps + 1.0) / (steps + 10.0)));
  step.adam.set_time(static_cast<long>(steps_done_));
  return steps_->step(step);
}

void MaskedLearner::save(SectionFileWriter& file) const {
  add_state(steps_->state(), file);
  ByteWriter progress;
  progress.u64(windows_done_);
  progress.u64(words_done_);
  progress.u64(steps_done_);
  progress.f64(loss_);
  progress.f64(gradient_norm_);
  file.add(kProgress, progress.take());
}

void MaskedLearner::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  NetworkState state = begin_state(std::vector<float>(steps_->average().size()));
  restore_state(file, state);
  steps_->restore(std::move(state));
  ByteReader progress = file.reader(kProgress);
  windows_done_ = progress.u64();
  words_done_ = progress.u64();
  steps_done_ = progress.u64();
  loss_ = progress.f64();
  gradient_norm_ = progress.f64();
  progress.expect_end();
  batches_->seek(windows_done_);
}

}  // namespace copse
