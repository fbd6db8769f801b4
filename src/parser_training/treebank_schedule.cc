#include "parser_training/treebank_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "features/hashing.h"

namespace copse {

TreebankSchedule::TreebankSchedule(std::vector<std::size_t> words, const TreebankScheduleOptions& options)
    : words_(std::move(words)), options_(options) {
  steps_in_pass_ = (deal_out().size() + options_.parts - 1) / options_.parts;
}

std::vector<ExampleBatch> TreebankSchedule::deal_out() const {
  Random random(mix(options_.seed) + passes_begun_);
  return copse::deal_out(words_, std::max<std::size_t>(options_.batch_words / options_.parts, 1), random);
}

ScheduledBatch TreebankSchedule::next() {
  if (parts_done_ == parts_.size()) {
    parts_ = deal_out();
    parts_done_ = 0;
    ++passes_begun_;
  }
  const std::size_t count = std::min(options_.parts, parts_.size() - parts_done_);
  ScheduledBatch batch;
  batch.parts = std::span(parts_).subspan(parts_done_, count);
  for (const ExampleBatch& part : batch.parts) {
    for (const std::size_t number : part) batch.units += words_[number];
  }
  parts_done_ += count;
  batch.ends_iteration = parts_done_ == parts_.size();
  return batch;
}

float TreebankSchedule::rate(std::uint64_t step) const {
  const double all = static_cast<double>(steps_in_pass_) * options_.passes;
  const double left = std::max(0.0, 1.0 - static_cast<double>(step) / all);
  constexpr double kLeast = 0.02;  // the last steps are to count, too
  return options_.rate * static_cast<float>(std::max(left, kLeast));
}

std::string TreebankSchedule::describe(std::uint64_t step) const {
  return fmt::format("step {} of pass {}", (step - 1) % steps_in_pass_ + 1, passes_begun_);
}

void TreebankSchedule::restore(ByteReader& progress) {
  passes_begun_ = progress.u64();
  parts_.clear();
  parts_done_ = 0;
}

}  // namespace copse
