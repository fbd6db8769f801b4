#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "optimisers/checkpoint.h"
#include "optimisers/learner.h"
#include "optimisers/stopping_rule.h"

namespace copse {

struct IterationReport {
  int iteration = 0;   // from 1
  int iterations = 0;  // the most there will be
  int likely_end = 0;  // the iteration that is the last one if development scores do not rise any more
  double objective = 0.0;
  double gradient_norm = 0.0;       // NaN if the learner has none
  std::optional<double> dev_score;  // such as the share of correct arcs
  std::string_view score_name;
  double seconds = 0.0;  // of this iteration, without the evaluation
  double examples_per_second = 0.0;
  TeamTraffic traffic;  // of this process, in this iteration and the evaluation after it
  bool is_last = false;
};

// Hears how iterations go. All calls come from the thread that trains.
class IterationObserver {
 public:
  virtual ~IterationObserver() = default;
  virtual void on_resumed(int /*iterations*/) {}
  virtual void on_iteration(const IterationReport&) {}
  // Called after every iteration: if true, in any process of a team, TrainingStopped is thrown. A run with
  // checkpoints can be resumed.
  virtual bool should_stop() { return false; }
};

struct TrainingLoopOptions {
  int iterations = 0;  // at most so many
  int evaluation_period = 1;
  StoppingRule stopping;
  std::string_view score_name = "UAS";  // what the score is called
  // Between two checkpoints, at least; those of the last iteration, and of one after which the run is
  // stopped, are always made. Not for learners that need several checkpoints.
  double checkpoint_seconds = 0.0;
};

// A learner at work: iterations, evaluations on development data, checkpoints.
class TrainingLoop {
 public:
  // How good weights are on development data, from 0 to 1.
  using Score = std::function<double(std::span<const float> weights)>;

  // Borrows learner and observer. Without a score the last weights are the best ones. `examples` are those of
  // all processes, and the processes of the learner's team all run this loop.
  TrainingLoop(Learner& learner, std::size_t examples, const TrainingLoopOptions& options,
               IterationObserver& observer, Score score = nullptr);

  // Returns the weights to keep.
  BestWeights run();
  // The same, with checkpoints. When resumed, the weights are those of a run that was never interrupted, with
  // the same options; there may be more iterations than the interrupted run was given, but not fewer than it
  // has done (DataError).
  BestWeights run(const CheckpointFolder& folder, bool resume);

 private:
  void iterate();
  void save(bool is_due);
  double evaluate();

  Learner& learner_;
  std::size_t examples_;
  TrainingLoopOptions options_;
  IterationObserver& observer_;
  Score score_;
  const CheckpointFolder* folder_ = nullptr;
  RunState state_;
  int last_evaluation_ = 0;
  int saved_iteration_ = 0;
  std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
  BestWeights best_;
};

}  // namespace copse
