#include "learning/processor_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "network/element_kernels.h"

namespace copse {
namespace {

// Weights that one task adds up or updates.
constexpr std::size_t kSegment = 1 << 16;

}  // namespace

ProcessorSteps::ProcessorSteps(const NetworkShape& shape, const MakeBatchLoss& make_loss,
                               std::vector<float> weights, NetworkStepsOptions options, TaskPool& pool)
    : blocks_(shape),
      options_(std::move(options)),
      pool_(&pool),
      state_(begin_state(std::move(weights))),
      training_weights_(blocks_, options_.precision),
      part_losses_(options_.parts),
      sum_(blocks_) {
  for (int thread = 0; thread < pool.threads(); ++thread) losses_.push_back(make_loss(blocks_));
  for (std::size_t part = 0; part < options_.parts; ++part) gradients_.emplace_back(blocks_);
  std::sort(options_.rates.begin(), options_.rates.end(),
            [](const RateRange& a, const RateRange& b) { return a.begin < b.begin; });
}

NetworkStepReport ProcessorSteps::step(const NetworkStep& step) {
  training_weights_.assign(state_.weights, [this](std::size_t count, const auto& task) {
    pool_->for_each(count, [&task](std::size_t number, int) { task(number); });
  });
  pool_->for_each(step.parts.size(), [&](std::size_t part, int worker) {
    part_losses_[part] = losses_[static_cast<std::size_t>(worker)]->run(step.parts[part], training_weights_,
                                                                        step.seed + part, gradients_[part]);
  });
  NetworkStepReport report;
  for (std::size_t part = 0; part < step.parts.size(); ++part) report.loss += part_losses_[part];
  report.gradient_norm = std::sqrt(add_up(step.parts.size())) * step.scale;
  if (!std::isfinite(report.gradient_norm) || !std::isfinite(report.loss)) return report;
  AdamStep adam = step.adam;
  adam.gradient_scale =
      static_cast<float>(step.scale * std::min(1.0, static_cast<double>(step.norm) / report.gradient_norm));
  update(adam);
  return report;
}

void ProcessorSteps::update(const AdamStep& adam) {
  const std::size_t segments = (blocks_.dense + kSegment - 1) / kSegment;
  pool_->for_each(segments, [&](std::size_t segment, int) {
    const std::size_t begin = segment * kSegment;
    update(begin, sum_.dense().subspan(begin, std::min(kSegment, blocks_.dense - begin)), true, adam);
  });
  // Of tables, only the rows that have a gradient move, but the average goes on for all of them.
  for (const Gradients::Table& table : sum_.tables()) {
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      update(table.offset + table.rows[k] * table.columns, table.values_of(k), false, adam);
    }
  }
  const std::size_t tables = state_.weights.size() - blocks_.dense;
  pool_->for_each((tables + kSegment - 1) / kSegment, [&](std::size_t segment, int) {
    const std::size_t begin = blocks_.dense + segment * kSegment;
    const std::size_t end = std::min(begin + kSegment, state_.weights.size());
    for (std::size_t k = begin; k < end; ++k) {
      state_.average[k] =
          adam.average_decay * state_.average[k] + (1.0F - adam.average_decay) * state_.weights[k];
    }
  });
}

// Of the weights from `offset` on, as many as have a gradient.
void ProcessorSteps::update(std::size_t offset, std::span<const float> gradient, bool averages,
                            const AdamStep& adam) {
  const std::size_t end = offset + gradient.size();
  const auto update_to = [&](std::size_t stop, float factor) {
    const std::size_t size = stop - offset;
    AdamStep own = adam;
    own.rate *= factor;
    adam_update({std::span(state_.weights).subspan(offset, size), gradient.first(size),
                 std::span(state_.first_moments).subspan(offset, size),
                 std::span(state_.second_moments).subspan(offset, size),
                 averages ? std::span(state_.average).subspan(offset, size) : std::span<float>()},
                own);
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

// Sets the sum of the gradients of parts of a batch, and returns the square of its length.
double ProcessorSteps::add_up(std::size_t parts) {
  sum_.clear();
  const std::size_t segments = (blocks_.dense + kSegment - 1) / kSegment;
  std::vector<double> squares(segments);
  pool_->for_each(segments, [&](std::size_t segment, int) {
    const std::size_t begin = segment * kSegment;
    const std::span<float> sum = sum_.dense().subspan(begin, std::min(kSegment, blocks_.dense - begin));
    for (std::size_t part = 0; part < parts; ++part) {
      add_scaled(std::as_const(gradients_[part]).dense().subspan(begin, sum.size()), 1.0F, sum);
    }
    squares[segment] = sum_of_squares(sum);
  });
  double square = std::accumulate(squares.begin(), squares.end(), 0.0);
  const std::vector<const Block*> tables = blocks_.tables();
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t part = 0; part < parts; ++part) {
      const Gradients::Table& table = gradients_[part].tables()[t];
      for (std::size_t k = 0; k < table.rows.size(); ++k) {
        add_scaled(table.values_of(k), 1.0F, sum_.row(*tables[t], table.rows[k]));
      }
    }
    square += sum_of_squares(sum_.tables()[t].values);
  }
  return square;
}

}  // namespace copse
