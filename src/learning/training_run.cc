#include "learning/training_run.h"

#include <chrono>

namespace copse {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int default_iterations(LearnerKind learner) { return learner == LearnerKind::lbfgs ? 200 : 10; }

// Steps of L-BFGS are many and small; passes are few and large.
int evaluation_period(LearnerKind learner) { return learner == LearnerKind::lbfgs ? 5 : 1; }

}  // namespace

TrainingRun::TrainingRun(const TrainingProblem& problem, const TrainingOptions& options,
                         const CheckpointFolder& folder, TaskPool& pool, TrainingObserver& observer,
                         DevelopmentSet* development)
    : problem_(problem),
      options_(options),
      folder_(folder),
      observer_(observer),
      development_(development),
      learner_(make_learner(problem, options, pool)),
      iterations_(options.iterations > 0 ? options.iterations : default_iterations(options.learner)) {}

BestWeights TrainingRun::learn(bool resume) {
  int iteration = 0;
  bool goes_on = true;
  if (resume) {
    const RestoredRun restored = folder_.restore(*learner_, best_);
    iteration = restored.iteration;
    goes_on = !restored.has_ended;
    if (iteration > 0) observer_.on_resumed(iteration);
  }
  while (goes_on && iteration < iterations_) goes_on = iterate(++iteration);
  if (development_ == nullptr) {
    const std::span<const float> weights = learner_->weights();
    best_ = {iteration, -1.0, {weights.begin(), weights.end()}};
  } else if (best_.weights.empty()) {
    evaluate(iteration);  // a resumed run with no iteration left
  }
  return std::move(best_);
}

bool TrainingRun::iterate(int iteration) {
  const Clock::time_point start = Clock::now();
  const bool goes_on = learner_->iterate();
  IterationReport report;
  report.seconds = seconds_since(start);
  report.iteration = iteration;
  report.iterations = iterations_;
  report.objective = learner_->progress().objective;
  report.gradient_norm = learner_->progress().gradient_norm;
  report.sentences_per_second = static_cast<double>(problem_.sentences()) / report.seconds;
  report.is_last = !goes_on || iteration == iterations_;
  if (development_ != nullptr && (report.is_last || iteration % evaluation_period(options_.learner) == 0)) {
    report.dev_uas = evaluate(iteration);
  }
  folder_.save(iteration, !goes_on, *learner_);
  observer_.on_iteration(report);
  if (!report.is_last && observer_.should_stop()) throw TrainingStopped();
  return goes_on;
}

double TrainingRun::evaluate(int iteration) {
  const std::span<const float> weights = learner_->weights();
  const double uas = development_->uas(weights);
  if (uas > best_.uas) {
    best_ = {iteration, uas, {weights.begin(), weights.end()}};
    folder_.save_best(best_);
  }
  return uas;
}

}  // namespace copse
