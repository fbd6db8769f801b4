#pragma once

#include <utility>
#include <vector>

#include "learning/example.h"
#include "learning/learner.h"
#include "optimisation/averaged_weights.h"
#include "optimisation/hildreth.h"

namespace copse {

// Learners that change their weights after every sentence, in an order that is new in every pass, and answer
// with the average. Each step needs the one before it, so they use one thread.
class OnlineLearner : public Learner {
 public:
  OnlineLearner(const TrainingProblem& problem, std::uint64_t seed);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override;
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 protected:
  // Changes the weights for one sentence and returns how many heads the best tree had wrong.
  virtual int learn(Example& example, AveragedWeights& weights) = 0;

 private:
  TrainingProblem problem_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
  double wrong_heads_ = 0.0;
  Example example_;
  AveragedWeights weights_;
  std::vector<float> average_;
};

// Collins 2002: towards the gold tree, away from the best one.
class Perceptron : public OnlineLearner {
 public:
  using OnlineLearner::OnlineLearner;

 protected:
  int learn(Example& example, AveragedWeights& weights) override;

 private:
  std::vector<int> gold_;
  std::vector<int> best_;
};

// McDonald et al. 2005: the smallest change after which the gold tree beats each of the k best ones by as
// much as they have wrong heads.
class Mira : public OnlineLearner {
 public:
  Mira(const TrainingProblem& problem, std::uint64_t seed, int kbest)
      : OnlineLearner(problem, seed), kbest_(kbest) {}

 protected:
  int learn(Example& example, AveragedWeights& weights) override;

 private:
  using SparseVector = std::vector<std::pair<std::uint32_t, double>>;  // ordered by feature

  int kbest_;
  std::vector<int> gold_;
  std::vector<ScoredTree> trees_;
  std::vector<SparseVector> differences_;
  std::vector<double> gram_;
  std::vector<double> violations_;
  HildrethSolver solver_;
};

}  // namespace copse
