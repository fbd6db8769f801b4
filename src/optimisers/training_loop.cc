#include "optimisers/training_loop.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "copse/error.h"
#include "optimisers/training_stopped.h"

namespace copse {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

TrainingLoop::TrainingLoop(Learner& learner, std::size_t examples, const TrainingLoopOptions& options,
                           IterationObserver& observer, Score score)
    : learner_(learner),
      examples_(examples),
      options_(options),
      observer_(observer),
      score_(std::move(score)) {}

BestWeights TrainingLoop::run(const CheckpointFolder& folder, bool resume) {
  folder_ = &folder;
  if (resume) {
    state_ = folder.restore(learner_, best_);
    if (state_.iteration > options_.iterations) {
      throw DataError(fmt::format(
          "{}: {} iterations are done already, more than the {} asked for; ask for at least as many, or "
          "remove this folder to start afresh",
          folder.path(), state_.iteration, options_.iterations));
    }
    if (!state_.evaluations.empty()) last_evaluation_ = state_.evaluations.back().iteration;
    if (state_.iteration > 0) observer_.on_resumed(state_.iteration);
  }
  return run();
}

BestWeights TrainingLoop::run() {
  while (!state_.has_ended && state_.iteration < options_.iterations &&
         !options_.stopping.is_met(state_.evaluations)) {
    iterate();
  }
  if (!score_) {
    const std::span<const float> weights = learner_.weights();
    best_ = {state_.iteration, -1.0, {weights.begin(), weights.end()}};
  } else if (last_evaluation_ != state_.iteration) {
    evaluate();  // a resumed run with no iteration left
  }
  return std::move(best_);
}

void TrainingLoop::iterate() {
  const Clock::time_point start = Clock::now();
  const TeamTraffic before = learner_.team().traffic();
  state_.has_ended = !learner_.iterate();
  ++state_.iteration;
  IterationReport report;
  report.seconds = seconds_since(start);
  report.iteration = state_.iteration;
  report.iterations = options_.iterations;
  report.objective = learner_.progress().objective;
  report.gradient_norm = learner_.progress().gradient_norm;
  report.examples_per_second = static_cast<double>(examples_) / report.seconds;
  report.score_name = options_.score_name;
  report.is_last = state_.has_ended || state_.iteration == options_.iterations;
  if (score_ && (report.is_last || state_.iteration % options_.evaluation_period == 0)) {
    report.dev_score = evaluate();
    report.is_last = report.is_last || options_.stopping.is_met(state_.evaluations);
  }
  report.likely_end = options_.stopping.likely_end(state_.evaluations, state_.iteration,
                                                   options_.evaluation_period, options_.iterations);
  const TeamTraffic& now = learner_.team().traffic();
  report.traffic = {now.bytes - before.bytes, now.seconds - before.seconds};
  save(report.is_last);
  observer_.on_iteration(report);
  if (report.is_last || !learner_.team().any(observer_.should_stop())) return;
  save(true);
  throw TrainingStopped();
}

// Once for each iteration.
void TrainingLoop::save(bool is_due) {
  if (folder_ == nullptr || saved_iteration_ == state_.iteration) return;
  if (!is_due && options_.checkpoint_seconds > 0.0) {
    const bool is_time = seconds_since(last_checkpoint_) >= options_.checkpoint_seconds;
    if (!learner_.team().any(learner_.team().leads() && is_time)) return;
  }
  folder_->save(state_, learner_);
  saved_iteration_ = state_.iteration;
  last_checkpoint_ = Clock::now();
}

double TrainingLoop::evaluate() {
  // The last iteration is evaluated whenever it comes. A run that is resumed with more iterations must not
  // know of it: it would not have looked there.
  const bool is_regular = state_.iteration % options_.evaluation_period == 0;
  const std::span<const float> weights = learner_.weights();
  const double score = score_(weights);
  last_evaluation_ = state_.iteration;
  if (is_regular) state_.evaluations.push_back({state_.iteration, score});
  if (score > best_.score) {
    best_ = {state_.iteration, score, {weights.begin(), weights.end()}};
    if (is_regular && folder_ != nullptr) folder_->save_best(best_);
  }
  return score;
}

}  // namespace copse
