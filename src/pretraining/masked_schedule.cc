#include "pretraining/masked_schedule.h"

#include <fmt/format.h>

#include <algorithm>

namespace copse {
namespace {

constexpr std::uint64_t kWarmUp = 300;
constexpr double kLeastRate = 0.05;

}  // namespace

MaskedSchedule::MaskedSchedule(MaskedBatchSource& batches, std::uint64_t words,
                               const MaskedBatchOptions& batching, float rate)
    : batches_(&batches),
      rate_(rate),
      total_words_(words * static_cast<std::uint64_t>(batching.passes)),
      // A short run has fewer steps than that, and must not spend most of them on beginning.
      warm_up_(std::clamp<std::uint64_t>(total_words_ / batching.batch_words / 10, 1, kWarmUp)) {}

ScheduledBatch MaskedSchedule::next() {
  const MaskedBatchSource::Step& batch = batches_->next();
  words_done_ += batch.words;
  if (batch.ends_window) ++windows_done_;
  // A window of unknown words has no hidden ones.
  return {batch.parts, batch.hidden, batch.ends_window};
}

float MaskedSchedule::rate(std::uint64_t step) const {
  const double rise = static_cast<double>(step) / static_cast<double>(warm_up_);
  const double done = static_cast<double>(words_done_) / static_cast<double>(total_words_);
  return rate_ * static_cast<float>(std::min(rise, 1.0) * (1.0 - (1.0 - kLeastRate) * done));
}

std::string MaskedSchedule::describe(std::uint64_t step) const { return fmt::format("step {}", step); }

void MaskedSchedule::save(ByteWriter& progress) const {
  progress.u64(windows_done_);
  progress.u64(words_done_);
}

void MaskedSchedule::restore(ByteReader& progress) {
  windows_done_ = progress.u64();
  words_done_ = progress.u64();
  batches_->seek(windows_done_);
}

}  // namespace copse
