#include "learning/network_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "copse/error.h"
#include "features/hashing.h"
#include "network/element_kernels.h"
#include "optimisation/restore_numbers.h"

namespace copse {
namespace {

// Weights that one task adds up or updates.
constexpr std::size_t kSegment = 1 << 16;

constexpr std::string_view kWeights = "network/weights";
constexpr std::string_view kFirstMoments = "network/first-moments";
constexpr std::string_view kSecondMoments = "network/second-moments";
constexpr std::string_view kAverage = "network/average";
constexpr std::string_view kProgress = "network/progress";

std::size_t words_of(const NetworkExample& example) {
  return static_cast<std::size_t>(example.sentence->sentence.size());
}

}  // namespace

NetworkLearner::NetworkLearner(const NetworkDescription& network, std::span<const NetworkExample> examples,
                               const NetworkLossOptions& loss, const NetworkLearnerOptions& options,
                               TaskPool& pool)
    : blocks_(network.shape),
      examples_(examples),
      options_(options),
      pool_(&pool),
      weights_(initial_weights(network.shape, options.seed)),
      first_moments_(weights_.size()),
      second_moments_(weights_.size()),
      average_(weights_),
      training_weights_(blocks_, options.precision),
      part_losses_(options.parts),
      sum_(blocks_) {
  for (int thread = 0; thread < pool.threads(); ++thread) losses_.emplace_back(network, blocks_, loss);
  for (std::size_t part = 0; part < options.parts; ++part) gradients_.emplace_back(blocks_);
  steps_in_pass_ = (deal_out().size() + options_.parts - 1) / options_.parts;
}

std::vector<NetworkLearner::Batch> NetworkLearner::deal_out() {
  Random random(mix(options_.seed) + passes_);
  std::vector<std::pair<float, std::size_t>> order(examples_.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    // Not always the same sentences together.
    constexpr float kSpread = 3.0F;
    order[k] = {static_cast<float>(words_of(examples_[k])) + kSpread * random.uniform(), k};
  }
  std::sort(order.begin(), order.end());
  const std::size_t most = std::max<std::size_t>(options_.batch_words / options_.parts, 1);
  std::vector<Batch> parts;
  std::size_t words = 0;
  for (const auto& [length, number] : order) {
    if (parts.empty() || words + words_of(examples_[number]) > most) {
      parts.emplace_back();
      words = 0;
    }
    parts.back().push_back(number);
    words += words_of(examples_[number]);
  }
  for (std::size_t k = parts.size(); k > 1; --k) std::swap(parts[k - 1], parts[random.below(k)]);
  return parts;
}

float NetworkLearner::rate() const {
  const double all = static_cast<double>(steps_in_pass_) * options_.passes;
  const double left = std::max(0.0, 1.0 - static_cast<double>(steps_) / all);
  constexpr double kLeast = 0.02;  // the last steps are to count, too
  return options_.rate * static_cast<float>(std::max(left, kLeast));
}

bool NetworkLearner::iterate() {
  const std::vector<Batch> parts = deal_out();
  loss_ = 0.0;
  for (std::size_t begin = 0; begin < parts.size(); begin += options_.parts) {
    step(std::span(parts).subspan(begin, std::min(options_.parts, parts.size() - begin)));
  }
  ++passes_;
  return true;
}

void NetworkLearner::step(std::span<const Batch> parts) {
  training_weights_.assign(weights_, [this](std::size_t count, const auto& task) {
    pool_->for_each(count, [&task](std::size_t number, int) { task(number); });
  });
  pool_->for_each(parts.size(), [&](std::size_t part, int worker) {
    const std::uint64_t seed = mix(mix(options_.seed) + steps_) + part;
    part_losses_[part] = losses_[static_cast<std::size_t>(worker)].run(
        examples_, parts[part], training_weights_, seed, gradients_[part]);
  });
  std::size_t words = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    loss_ += part_losses_[part];
    for (const std::size_t number : parts[part]) words += words_of(examples_[number]);
  }
  const double scale = 1.0 / static_cast<double>(words);
  gradient_norm_ = std::sqrt(add_up(parts.size())) * scale;
  if (!std::isfinite(gradient_norm_) || !std::isfinite(loss_)) {
    throw DataError(fmt::format(
        "the loss is no longer a number, in step {} of pass {}; try a lower rate (--rate), from the "
        "last checkpoint with --resume or anew",
        steps_ % steps_in_pass_ + 1, passes_ + 1));
  }
  ++steps_;
  AdamStep adam;
  adam.rate = rate();
  adam.gradient_scale = static_cast<float>(scale * std::min(1.0, options_.norm / gradient_norm_));
  const auto steps = static_cast<double>(steps_);
  adam.average_decay =
      static_cast<float>(std::min<double>(options_.average_decay, (steps + 1.0) / (steps + 10.0)));
  adam.set_time(static_cast<long>(steps_));
  const auto update = [&](std::size_t offset, std::span<const float> gradient, bool averages) {
    const std::size_t size = gradient.size();
    adam_update(
        {std::span(weights_).subspan(offset, size), gradient, std::span(first_moments_).subspan(offset, size),
         std::span(second_moments_).subspan(offset, size),
         averages ? std::span(average_).subspan(offset, size) : std::span<float>()},
        adam);
  };
  const std::size_t segments = (blocks_.dense + kSegment - 1) / kSegment;
  pool_->for_each(segments, [&](std::size_t segment, int) {
    const std::size_t begin = segment * kSegment;
    update(begin, sum_.dense().subspan(begin, std::min(kSegment, blocks_.dense - begin)), true);
  });
  // Of tables, only the rows that have a gradient move, but the average goes on for all of them.
  for (const Gradients::Table& table : sum_.tables()) {
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      update(table.offset + table.rows[k] * table.columns, table.values_of(k), false);
    }
  }
  const std::size_t tables = weights_.size() - blocks_.dense;
  pool_->for_each((tables + kSegment - 1) / kSegment, [&](std::size_t segment, int) {
    const std::size_t begin = blocks_.dense + segment * kSegment;
    const std::size_t end = std::min(begin + kSegment, weights_.size());
    for (std::size_t k = begin; k < end; ++k) {
      average_[k] = adam.average_decay * average_[k] + (1.0F - adam.average_decay) * weights_[k];
    }
  });
}

// Sets the sum of the gradients of parts of a batch, and returns the square of its length.
double NetworkLearner::add_up(std::size_t parts) {
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

void NetworkLearner::save(SectionFileWriter& file) const {
  file.add_numbers(kWeights, weights_);
  file.add_numbers(kFirstMoments, first_moments_);
  file.add_numbers(kSecondMoments, second_moments_);
  file.add_numbers(kAverage, average_);
  ByteWriter progress;
  progress.u64(passes_);
  progress.u64(steps_);
  progress.f64(loss_);
  progress.f64(gradient_norm_);
  file.add(kProgress, progress.take());
}

void NetworkLearner::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  restore_numbers(file, kWeights, weights_);
  restore_numbers(file, kFirstMoments, first_moments_);
  restore_numbers(file, kSecondMoments, second_moments_);
  restore_numbers(file, kAverage, average_);
  ByteReader progress = file.reader(kProgress);
  passes_ = progress.u64();
  steps_ = progress.u64();
  loss_ = progress.f64();
  gradient_norm_ = progress.f64();
  progress.expect_end();
}

}  // namespace copse
