#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parser_training/batch_schedule.h"
#include "pretraining/masked_batches.h"

namespace copse {

// Passes over the windows of a text: an iteration is one window. The rate rises for some hundred steps, and
// then falls with the words that are left.
class MaskedSchedule : public BatchSchedule {
 public:
  // Borrows the batches. `words` is the length of the text, `rate` the highest.
  MaskedSchedule(MaskedBatchSource& batches, std::uint64_t words, const MaskedBatchOptions& batching,
                 float rate);

  // Of the text, in all passes: so far, and in the end.
  std::uint64_t words_done() const { return words_done_; }
  std::uint64_t total_words() const { return total_words_; }

  ScheduledBatch next() override;
  float rate(std::uint64_t step) const override;
  // The mean loss of a hidden word.
  double objective(double loss, std::uint64_t hidden) const override {
    return loss / static_cast<double>(hidden);
  }
  std::string describe(std::uint64_t step) const override;
  std::string_view section() const override { return "pretraining/progress"; }
  void save(ByteWriter& progress) const override;
  void restore(ByteReader& progress) override;

 private:
  MaskedBatchSource* batches_;
  float rate_;
  std::uint64_t total_words_;
  std::uint64_t warm_up_;  // steps until the rate is reached
  std::uint64_t windows_done_ = 0;
  std::uint64_t words_done_ = 0;
};

}  // namespace copse
