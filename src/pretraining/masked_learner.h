#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "optimisers/learner.h"
#include "parser_training/network_steps.h"
#include "pretraining/masked_batches.h"

namespace copse {

struct MaskedLearnerOptions {
  float rate = 2e-3F;  // after the first steps; falls to a twentieth
  float weight_decay = 0.01F;
  float norm = 1.0F;  // gradients are cut to this length
  float average_decay = 0.998F;
  std::uint64_t seed = 1;
};

// How far an iteration is.
struct MaskedProgress {
  std::uint64_t words = 0;  // of the text, in all passes so far
  std::uint64_t total = 0;  // likewise, in the end
  std::uint64_t steps = 0;  // so far
  double loss = 0.0;        // of a hidden word, in the iteration so far
  bool ends_window = false;
};

// AdamW (Loshchilov and Hutter 2019) over the windows of a text: an iteration is one of them. The rate rises
// for some hundred steps, and then falls with the words that are left.
class MaskedLearner : public Learner {
 public:
  using OnStep = std::function<void(const MaskedProgress&)>;

  // Borrows the batches, which are those of the steps. `words` is the length of the text.
  MaskedLearner(MaskedBatchSource& batches, std::uint64_t words, const MaskedBatchOptions& batching,
                const MaskedLearnerOptions& options, std::unique_ptr<NetworkSteps> steps,
                OnStep on_step = nullptr);

  Team& team() const override { return steps_->team(); }
  bool iterate() override;
  // The objective is the mean loss of a hidden word.
  LearnerProgress progress() const override { return {loss_, gradient_norm_}; }
  // The running average.
  std::span<const float> weights() override { return steps_->average(); }
  void prepare_save() override { steps_->state(); }
  void save(SectionFileWriter& file) const override;
  void restore(std::span<const SectionFile> files) override;

 private:
  NetworkStepReport step(const MaskedBatchSource::Step& batch);
  float rate() const;

  MaskedBatchSource* batches_;
  std::uint64_t total_words_;  // of all passes
  std::uint64_t warm_up_;      // steps until the rate is reached
  MaskedLearnerOptions options_;
  std::unique_ptr<NetworkSteps> steps_;
  OnStep on_step_;
  std::uint64_t windows_done_ = 0;
  std::uint64_t words_done_ = 0;
  std::uint64_t steps_done_ = 0;
  double loss_ = 0.0;
  double gradient_norm_ = 0.0;
};

}  // namespace copse
