#include "parser_training/network_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "copse/error.h"
#include "features/hashing.h"
#include "parser_training/deal_out.h"

namespace copse {
namespace {

constexpr std::string_view kProgress = "network/progress";

}  // namespace

NetworkLearner::NetworkLearner(std::vector<std::size_t> words, const NetworkLearnerOptions& options,
                               std::unique_ptr<NetworkSteps> steps)
    : words_(std::move(words)), options_(options), steps_(std::move(steps)) {
  steps_in_pass_ = (deal_out().size() + options_.parts - 1) / options_.parts;
}

std::vector<ExampleBatch> NetworkLearner::deal_out() const {
  Random random(mix(options_.seed) + passes_done_);
  return copse::deal_out(words_, std::max<std::size_t>(options_.batch_words / options_.parts, 1), random);
}

float NetworkLearner::rate() const {
  const double all = static_cast<double>(steps_in_pass_) * options_.passes;
  const double left = std::max(0.0, 1.0 - static_cast<double>(steps_done_) / all);
  constexpr double kLeast = 0.02;  // the last steps are to count, too
  return options_.rate * static_cast<float>(std::max(left, kLeast));
}

bool NetworkLearner::iterate() {
  const std::vector<ExampleBatch> parts = deal_out();
  loss_ = 0.0;
  for (std::size_t begin = 0; begin < parts.size(); begin += options_.parts) {
    step(std::span(parts).subspan(begin, std::min(options_.parts, parts.size() - begin)));
  }
  ++passes_done_;
  return true;
}

void NetworkLearner::step(std::span<const ExampleBatch> parts) {
  std::size_t words = 0;
  for (const ExampleBatch& part : parts) {
    for (const std::size_t number : part) words += words_[number];
  }
  NetworkStep step;
  step.parts = parts;
  step.seed = mix(mix(options_.seed) + steps_done_);
  ++steps_done_;
  step.scale = 1.0 / static_cast<double>(words);
  step.norm = options_.norm;
  step.adam.rate = rate();
  const auto steps = static_cast<double>(steps_done_);
  step.adam.average_decay =
      static_cast<float>(std::min<double>(options_.average_decay, (steps + 1.0) / (steps + 10.0)));
  step.adam.set_time(static_cast<long>(steps_done_));
  const NetworkStepReport report = steps_->step(step);
  loss_ += report.loss;
  gradient_norm_ = report.gradient_norm;
  if (!std::isfinite(gradient_norm_) || !std::isfinite(loss_)) {
    throw DataError(fmt::format(
        "the loss is no longer a number, in step {} of pass {}; try a lower rate (--rate), from the "
        "last checkpoint with --resume or anew",
        (steps_done_ - 1) % steps_in_pass_ + 1, passes_done_ + 1));
  }
}

void NetworkLearner::save(SectionFileWriter& file) const {
  add_state(steps_->state(), file);
  ByteWriter progress;
  progress.u64(passes_done_);
  progress.u64(steps_done_);
  progress.f64(loss_);
  progress.f64(gradient_norm_);
  file.add(kProgress, progress.take());
}

void NetworkLearner::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  NetworkState state = begin_state(std::vector<float>(steps_->average().size()));
  restore_state(file, state);
  steps_->restore(std::move(state));
  ByteReader progress = file.reader(kProgress);
  passes_done_ = progress.u64();
  steps_done_ = progress.u64();
  loss_ = progress.f64();
  gradient_norm_ = progress.f64();
  progress.expect_end();
}

}  // namespace copse
