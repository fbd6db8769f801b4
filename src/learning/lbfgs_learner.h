#pragma once

#include <optional>

#include "learning/learner.h"
#include "learning/likelihood.h"
#include "optimisation/lbfgs.h"

namespace copse {

// Maximum likelihood by L-BFGS: an iteration is a step.
class LbfgsLearner : public Learner {
 public:
  LbfgsLearner(const TrainingProblem& problem, double l2, double l1, TaskPool& pool, double margin = 0.0);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override { return minimiser_->x(); }
  int checkpoints() const override { return options_.history + 1; }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  std::vector<float> start_;
  std::vector<float> penalties_;
  Likelihood likelihood_;
  TaskPool* pool_;
  LbfgsOptions options_;
  std::optional<Lbfgs> minimiser_;  // made by the first iteration, or restored
};

}  // namespace copse
