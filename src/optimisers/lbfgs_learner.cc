#include "optimisers/lbfgs_learner.h"

#include <algorithm>

#include "optimisers/chunked_sums.h"
#include "optimisers/restore_numbers.h"

namespace copse {

LbfgsLearner::LbfgsLearner(const Objective& objective, std::span<const float> start, double l2, double l1,
                           int history, TaskPool& pool)
    : start_(start.begin(), start.end()), loss_(objective, l2, pool), pool_(&pool) {
  options_.history = history;
  options_.l1 = l1;
  options_.decrease_tolerance = 1e-4;
}

bool LbfgsLearner::iterate() {
  if (!minimiser_) minimiser_.emplace(loss_, *pool_, options_, start_weights());
  return minimiser_->iterate() == Lbfgs::Status::running;
}

std::vector<float> LbfgsLearner::start_weights() const {
  return start_.empty() ? std::vector<float>(loss_.dimension()) : start_;
}

LearnerProgress LbfgsLearner::progress() const {
  return {minimiser_->progress().value, minimiser_->gradient_norm()};
}

void LbfgsLearner::prepare_save() {
  if (team().is_alone()) return;
  gradient_.resize(loss_.dimension());
  const VectorRange part = own_part(team(), gradient_.size());
  std::ranges::copy(minimiser_->gradient(), gradient_.begin() + static_cast<std::ptrdiff_t>(part.begin));
  team().gather_parts(std::span(gradient_), part_bounds(team(), gradient_.size()));
}

void LbfgsLearner::save(SectionFileWriter& file) const {
  const LbfgsProgress& progress = minimiser_->progress();
  ByteWriter state;
  state.u64(static_cast<std::uint64_t>(progress.iterations));
  state.u64(static_cast<std::uint64_t>(progress.evaluations));
  state.f64(progress.value);
  state.f64(progress.step);
  state.numbers(std::span<const double>(progress.earlier_values));
  file.add("learner", state.take());
  file.add_numbers("weights", minimiser_->x());
  file.add_numbers("gradient",
                   team().is_alone() ? minimiser_->gradient() : std::span<const float>(gradient_));
}

void LbfgsLearner::restore(std::span<const SectionFile> files) {
  ByteReader state = files.back().reader("learner");
  LbfgsProgress progress;
  progress.iterations = static_cast<long>(state.u64());
  progress.evaluations = static_cast<long>(state.u64());
  progress.value = state.f64();
  progress.step = state.f64();
  progress.earlier_values = state.numbers<double>();
  state.expect_end();
  const VectorRange part = own_part(team(), loss_.dimension());
  const auto part_of = [&part](const std::vector<float>& all) {
    const std::span<const float> own = std::span(all).subspan(part.begin, part.size());
    return std::vector<float>(own.begin(), own.end());
  };
  std::vector<LbfgsIterate> iterates;
  // The point where the run began has no file, but is still among the last ones.
  if (progress.iterations > 0 && progress.iterations <= options_.history) {
    const std::vector<float> start = start_weights();
    LbfgsIterate& first =
        iterates.emplace_back(LbfgsIterate{part_of(start), std::vector<float>(part.size())});
    loss_.evaluate(start, first.gradient);
  }
  std::vector<float> weights(loss_.dimension());
  std::vector<float> gradient(loss_.dimension());
  for (const SectionFile& file : files) {
    restore_numbers(file, "weights", weights);
    restore_numbers(file, "gradient", gradient);
    iterates.push_back({part_of(weights), part_of(gradient)});
  }
  minimiser_.emplace(loss_, *pool_, options_, std::move(iterates), std::move(progress));
}

}  // namespace copse
