#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "optimisers/learner.h"
#include "parser_training/network_steps.h"

namespace copse {

struct NetworkLearnerOptions {
  int passes = 0;                  // that there will be: the rate falls to zero until then
  float rate = 2e-3F;              // of the first step
  std::size_t batch_words = 1000;  // for each step
  std::size_t parts = 4;           // of a batch; see NetworkStep
  float norm = 5.0F;               // gradients are cut to this length
  float average_decay = 0.998F;
  std::uint64_t seed = 1;
};

// Adam over the passes of a treebank: which sentences come when, and how quickly is learnt from them. The
// steps themselves are done elsewhere.
class NetworkLearner : public Learner {
 public:
  // The examples, of so many words each, are those of the steps.
  NetworkLearner(std::vector<std::size_t> words, const NetworkLearnerOptions& options,
                 std::unique_ptr<NetworkSteps> steps);

  Team& team() const override { return steps_->team(); }
  bool iterate() override;
  LearnerProgress progress() const override { return {loss_, gradient_norm_}; }
  // The running average.
  std::span<const float> weights() override { return steps_->average(); }
  void prepare_save() override { steps_->state(); }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  std::vector<std::vector<std::size_t>> deal_out() const;
  void step(std::span<const std::vector<std::size_t>> parts);
  float rate() const;

  std::vector<std::size_t> words_;  // by example
  NetworkLearnerOptions options_;
  std::unique_ptr<NetworkSteps> steps_;
  std::size_t steps_in_pass_ = 1;
  std::uint64_t passes_done_ = 0;
  std::uint64_t steps_done_ = 0;
  double loss_ = 0.0;
  double gradient_norm_ = 0.0;
};

}  // namespace copse
