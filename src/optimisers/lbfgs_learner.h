#pragma once

#include <optional>

#include "optimisers/lbfgs.h"
#include "optimisers/learner.h"
#include "optimisers/regularised_loss.h"

namespace copse {

// Minimises the regularised loss by L-BFGS: an iteration is a step.
class LbfgsLearner : public Learner {
 public:
  LbfgsLearner(const Objective& objective, std::span<const float> start, double l2, double l1, int history,
               TaskPool& pool);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override { return minimiser_->x(); }
  Team& team() const override { return pool_->team(); }
  int checkpoints() const override { return options_.history + 1; }
  void prepare_save() override;
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  std::vector<float> start_weights() const;

  std::vector<float> start_;  // empty: zeros
  RegularisedLoss loss_;
  TaskPool* pool_;
  LbfgsOptions options_;
  std::optional<Lbfgs> minimiser_;  // made by the first iteration, or restored
  std::vector<float> gradient_;     // all of it, to be saved; in a team of several
};

}  // namespace copse
