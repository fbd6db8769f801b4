#include "parser_training/processor_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "copse/error.h"
#include "copse/setting_error.h"

namespace copse {
namespace {

// How many of so many parts are this process's.
std::size_t count_own(const Team& team, std::size_t parts) {
  const auto size = static_cast<std::size_t>(team.size());
  return (parts + size - 1 - static_cast<std::size_t>(team.rank())) / size;
}

}  // namespace

Precision common_precision(Team& team, std::optional<Precision> precision, Device device) {
  if (precision) return *precision;
  const Precision best = best_precision(device);
  return team.any(best == Precision::float32) ? Precision::float32 : best;
}

void expect_device(Device device, const Team& team) {
  if (device == Device::cuda && !team.is_alone()) {
    throw SettingError("networks learn on a GPU in one process only; start one process, or use processors",
                       "device");
  }
  if (!is_available(device)) throw DataError(why_unavailable(device));
}

ProcessorSteps::ProcessorSteps(const NetworkShape& shape, const MakeBatchLoss& make_loss,
                               std::vector<float> weights, NetworkStepsOptions options, TaskPool& pool)
    : blocks_(shape),
      options_(std::move(options)),
      pool_(&pool),
      state_(pool.team(), blocks_, std::move(weights)),
      training_weights_(blocks_, options_.precision),
      part_losses_(count_own(pool.team(), options_.parts)),
      total_(blocks_, pool) {
  for (int thread = 0; thread < pool.threads(); ++thread) losses_.push_back(make_loss(blocks_));
  for (std::size_t k = 0; k < part_losses_.size(); ++k) gradients_.emplace_back(blocks_);
  std::sort(options_.rates.begin(), options_.rates.end(),
            [](const RateRange& a, const RateRange& b) { return a.begin < b.begin; });
}

NetworkStepReport ProcessorSteps::step(const NetworkStep& step) {
  const std::size_t own = count_own(team(), step.parts.size());
  work_on_parts(step, own);
  const GradientTotal::Report total =
      total_.add_up(step.parts.size(), std::span(part_losses_).first(own), std::span(gradients_).first(own));
  const NetworkStepReport report{total.loss, std::sqrt(total.square) * step.scale};
  if (!std::isfinite(report.gradient_norm) || !std::isfinite(report.loss)) return report;
  AdamStep adam = step.adam;
  adam.gradient_scale =
      static_cast<float>(step.scale * std::min(1.0, static_cast<double>(step.norm) / report.gradient_norm));
  update(adam);
  state_.finish_step();
  return report;
}

void ProcessorSteps::work_on_parts(const NetworkStep& step, std::size_t own) {
  if (own == 0) return;
  training_weights_.assign(state_.weights(), [this](std::size_t count, const auto& task) {
    pool_->for_each(count, [&task](std::size_t number, int) { task(number); });
  });
  pool_->for_each(own, [&](std::size_t k, int worker) {
    const std::size_t part = number_of_own(team(), k);
    part_losses_[k] = losses_[static_cast<std::size_t>(worker)]->run(step.parts[part], training_weights_,
                                                                     step.seed + part, gradients_[k]);
  });
}

void ProcessorSteps::update(const AdamStep& adam) {
  const auto for_each_segment = [this](DividedState::Range range, const auto& work) {
    pool_->for_each((range.size() + kSegment - 1) / kSegment, [&](std::size_t segment, int) {
      const std::size_t begin = range.begin + segment * kSegment;
      work(DividedState::Range{begin, std::min(begin + kSegment, range.end)});
    });
  };
  const DividedState::Range dense = state_.dense();
  for_each_segment(dense, [&](DividedState::Range segment) {
    update(segment.begin, total_.dense().subspan(segment.begin - dense.begin, segment.size()), adam);
  });
  // Of tables, only the rows that have a gradient move, but the average goes on for all of them.
  for (const Gradients::Table& table : total_.tables()) {
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      update(table.offset + table.rows[k] * table.columns, table.values_of(k), adam);
    }
  }
  for_each_segment(state_.tables(),
                   [&](DividedState::Range segment) { state_.average_table(segment, adam.average_decay); });
}

// Of the weights from `offset` on, as many as have a gradient.
void ProcessorSteps::update(std::size_t offset, std::span<const float> gradient, const AdamStep& adam) {
  const std::size_t end = offset + gradient.size();
  const auto update_to = [&](std::size_t stop, float factor) {
    const std::size_t size = stop - offset;
    AdamStep own = adam;
    own.rate *= factor;
    adam_update(state_.part(offset, gradient.first(size)), own);
    gradient = gradient.subspan(size);
    offset = stop;
  };
  for (const RateRange& range : options_.rates) {
    if (range.end <= offset || range.begin >= end) continue;
    if (range.begin > offset) update_to(range.begin, 1.0F);
    update_to(std::min(range.end, end), range.factor);
  }
  if (offset < end) update_to(end, 1.0F);
}

}  // namespace copse
