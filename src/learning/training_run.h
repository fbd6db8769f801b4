#pragma once

#include <memory>

#include "learning/checkpoint.h"
#include "learning/development.h"
#include "learning/learner.h"
#include "learning/trainer.h"

namespace copse {

// A learner at work: iterations, evaluations, checkpoints.
class TrainingRun {
 public:
  // Borrows all but the problem. Without development data the last weights are the best ones.
  TrainingRun(const TrainingProblem& problem, const TrainingOptions& options, const CheckpointFolder& folder,
              TaskPool& pool, TrainingObserver& observer, DevelopmentSet* development);

  // The weights to keep.
  BestWeights learn(bool resume);

 private:
  bool iterate(int iteration);
  double evaluate(int iteration);

  TrainingProblem problem_;
  const TrainingOptions& options_;
  const CheckpointFolder& folder_;
  TrainingObserver& observer_;
  DevelopmentSet* development_;
  std::unique_ptr<Learner> learner_;
  int iterations_;
  BestWeights best_;
};

}  // namespace copse
