#pragma once

#include <vector>

#include "optimisers/averaged_weights.h"
#include "optimisers/hildreth.h"
#include "optimisers/learner.h"

namespace copse {

// Learners that change their weights after every example, in an order that is new in every pass, and answer
// with the average. Each step needs the one before it, so they use one thread.
class OnlineLearner : public Learner {
 public:
  // Borrows the objective.
  OnlineLearner(const Objective& objective, std::uint64_t seed);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override;
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 protected:
  // Changes the weights for one example and returns how many errors its best output had.
  virtual int learn(ExampleWorkspace& examples, std::size_t example, AveragedWeights& weights) = 0;

 private:
  std::size_t examples_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
  double errors_ = 0.0;
  std::unique_ptr<ExampleWorkspace> workspace_;
  AveragedWeights weights_;
  std::vector<float> average_;
};

// Collins 2002: towards the gold output, away from the best one.
class Perceptron : public OnlineLearner {
 public:
  using OnlineLearner::OnlineLearner;

 protected:
  int learn(ExampleWorkspace& examples, std::size_t example, AveragedWeights& weights) override;

 private:
  SparseVector difference_;
};

// McDonald et al. 2005: the smallest change after which the gold output beats each of the k best ones by as
// much as they have errors.
class Mira : public OnlineLearner {
 public:
  Mira(const Objective& objective, std::uint64_t seed, int kbest)
      : OnlineLearner(objective, seed), kbest_(kbest) {}

 protected:
  int learn(ExampleWorkspace& examples, std::size_t example, AveragedWeights& weights) override;

 private:
  int kbest_;
  std::vector<SparseVector> differences_;  // ordered by weight
  std::vector<double> gram_;
  std::vector<double> violations_;
  HildrethSolver solver_;
};

}  // namespace copse
