#pragma once

#include <cstdint>
#include <vector>

#include "optimisation/adagrad_weights.h"
#include "optimisation/learner.h"

namespace copse {

// Minimises the sum of the losses plus l2 / 2 * |w|^2 by steps after small batches of examples. Every weight
// has its own step size, which falls with the gradients that it has seen (Duchi et al. 2011).
class Adagrad : public Learner {
 public:
  // `step` is the length of a first step. The more weights are added up in a score, the shorter it must be.
  Adagrad(const Objective& objective, std::span<const float> start, double l2, double step,
          std::uint64_t seed, TaskPool& pool);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override { return weights_.values(); }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  static constexpr std::size_t kBatch = 16;

  struct Worker {
    std::unique_ptr<ExampleWorkspace> examples;
    std::vector<std::int64_t> gradient;  // all zero between batches
    std::vector<std::uint32_t> touched;  // weights whose gradient is not zero, and perhaps others
  };
  void count_examples();
  void learn(std::span<const std::size_t> batch);
  void step(std::uint32_t weight, double share_of_data);

  std::size_t examples_;
  std::uint64_t seed_;
  TaskPool* pool_;
  std::uint64_t passes_ = 0;
  double objective_ = 0.0;
  AdagradWeights weights_;
  std::vector<double> losses_;
  std::vector<Worker> workers_;
};

}  // namespace copse
