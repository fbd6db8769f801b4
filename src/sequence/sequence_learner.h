#pragma once

#include <memory>
#include <span>
#include <vector>

#include "optimisation/gradient_sums.h"
#include "optimisation/lbfgs.h"
#include "sequence/sequence_example.h"

namespace copse {

// What learners learn from. Borrowed.
struct SequenceProblem {
  std::span<const SequenceList> lists;
  std::size_t weights;
  int order;
  double l2;
  double margin;
};

// The regularised negative log-likelihood of sequences, or softmax-margin, and its gradient; see Likelihood.
class SequenceLikelihood : public DifferentiableFunction {
 public:
  SequenceLikelihood(const SequenceProblem& problem, TaskPool& pool);

  std::size_t dimension() const override { return problem_.weights; }
  double evaluate(std::span<const float> weights, std::span<float> gradient) override;

 private:
  SequenceProblem problem_;
  TaskPool* pool_;
  std::vector<float> penalties_;
  std::vector<std::size_t> order_;         // expensive sequences first
  std::vector<double> losses_;             // by sequence
  std::vector<SequenceExample> examples_;  // by worker
  GradientSums gradients_;
};

// Finds weights, iteration by iteration: the same ones for every number of threads.
class SequenceLearner {
 public:
  virtual ~SequenceLearner() = default;
  // False when there is nothing left to improve.
  virtual bool iterate() = 0;
  // What is minimised: the regularised loss, or the number of wrong labels on the way.
  virtual double objective() const = 0;
  // Valid until the next iteration.
  virtual std::span<const float> weights() = 0;
};

std::unique_ptr<SequenceLearner> make_sequence_learner(LearnerKind learner, const SequenceProblem& problem,
                                                       std::uint64_t seed, TaskPool& pool);

}  // namespace copse
