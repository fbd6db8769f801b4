#pragma once

#include <cstdint>
#include <vector>

#include "optimisers/adagrad_weights.h"
#include "optimisers/learner.h"

namespace copse {

// Minimises the sum of the losses plus l2 / 2 * |w|^2 by steps after small batches of examples. Every weight
// has its own step size, which falls with the gradients that it has seen (Duchi et al. 2011).
//
// In a team, every process works on those examples of a batch that it has; then all of them take the same
// step.
class Adagrad : public Learner {
 public:
  // `step` is the length of a first step. The more weights are added up in a score, the shorter it must be.
  Adagrad(const Objective& objective, std::span<const float> start, double l2, double step,
          std::uint64_t seed, TaskPool& pool);

  bool iterate() override;
  LearnerProgress progress() const override;
  std::span<const float> weights() override { return weights_.values(); }
  Team& team() const override { return pool_->team(); }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  static constexpr std::size_t kBatch = 16;

  struct Worker {
    std::unique_ptr<ExampleWorkspace> examples;
    std::vector<std::int64_t> gradient;  // all zero between batches
    std::vector<std::uint32_t> touched;  // weights whose gradient is not zero, and perhaps others
  };
  // What a process tells the others about a weight.
  struct Change {
    std::uint32_t weight;
    std::uint32_t low;  // of the sum: as halves, there is no padding between changes
    std::uint32_t high;
  };
  static constexpr std::size_t kNotHere = SIZE_MAX;

  void find_examples(const Objective& objective);
  void count_examples();
  void learn(std::span<const std::size_t> batch);
  std::int64_t take_sum(std::uint32_t weight);
  void step(std::uint32_t weight, double share_of_data);
  void add_changes_of_others();

  std::vector<std::size_t> own_;  // by example of the team: which of this process's it is, or kNotHere
  std::vector<std::size_t> batch_;
  std::vector<Change> changes_;
  std::uint64_t seed_;
  TaskPool* pool_;
  std::uint64_t passes_ = 0;
  double objective_ = 0.0;
  AdagradWeights weights_;
  std::vector<double> losses_;  // by example of this process
  std::vector<Worker> workers_;
};

}  // namespace copse
