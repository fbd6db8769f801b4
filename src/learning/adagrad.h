#pragma once

#include <cstdint>
#include <vector>

#include "learning/example.h"
#include "learning/learner.h"
#include "optimisation/adagrad_weights.h"

namespace copse {

// Minimises the regularised log-loss of Likelihood by steps after small batches of sentences. Every feature
// has its own step size, which falls with the gradients that it has seen (Duchi et al. 2011).
class Adagrad : public Learner {
 public:
  // `step` is the length of a first step. The more features a part has, the shorter it must be.
  Adagrad(const TrainingProblem& problem, double l2, double step, std::uint64_t seed, TaskPool& pool,
          double margin = 0.0);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override { return weights_.values(); }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  static constexpr std::size_t kBatch = 16;

  struct Worker {
    Example example;
    std::vector<std::int64_t> gradient;  // all zero between batches
    std::vector<std::uint32_t> touched;  // features whose gradient is not zero, and perhaps others
  };
  void count_sentences();
  void learn(std::span<const std::size_t> batch);
  void step(std::uint32_t feature, double share_of_data);

  TrainingProblem problem_;
  std::uint64_t seed_;
  TaskPool* pool_;
  std::uint64_t passes_ = 0;
  double objective_ = 0.0;
  AdagradWeights weights_;
  std::vector<double> losses_;
  std::vector<Worker> workers_;
};

}  // namespace copse
