#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "network/masked_words.h"
#include "parser_training/deal_out.h"
#include "pretraining/encoder_text.h"

namespace copse {

struct MaskedBatchOptions {
  int passes = 1;
  std::size_t batch_words = 16'000;  // for each step
  std::size_t parts = 4;             // of a batch; see NetworkStep
  float hidden_share = 0.2F;         // of the words that are known
  std::uint64_t seed = 1;
};

// A batch of some sentences of a window, with words hidden as the seed says.
void make_masked_batch(const EncoderText& text, const TextWindow& window,
                       std::span<const std::size_t> sentences, float hidden_share, std::uint64_t seed,
                       MaskedBatch& batch);

// Where a learner's batches come from, window by window.
class MaskedBatchSource {
 public:
  MaskedBatchSource() = default;
  MaskedBatchSource(const MaskedBatchSource&) = delete;
  MaskedBatchSource& operator=(const MaskedBatchSource&) = delete;
  virtual ~MaskedBatchSource() = default;

  // Where batches lie, to be borrowed by what computes steps: the parts of a step name them by number.
  virtual std::span<const MaskedBatch> slots() const = 0;

  struct Step {
    std::vector<ExampleBatch> parts;  // one number each, of a slot
    std::uint64_t words = 0;
    std::uint64_t hidden = 0;
    bool ends_window = false;
  };
  // The next step, valid until the next call. Not after the end.
  virtual const Step& next() = 0;

  // Windows of all passes, and going to the beginning of one of them.
  virtual std::uint64_t windows() const = 0;
  virtual void seek(std::uint64_t window) = 0;
};

// The batches of all passes over a text. In each pass, windows come in another order, and so do the sentences
// of a window, those of about the same length together. While a step is computed, a thread of its own makes
// the batches of the next one.
class MaskedBatches : public MaskedBatchSource {
 public:
  // Borrows the text.
  MaskedBatches(const EncoderText& text, const MaskedBatchOptions& options);
  ~MaskedBatches() override;

  std::span<const MaskedBatch> slots() const override { return slots_; }
  const Step& next() override;
  std::uint64_t windows() const override {
    return text_->windows() * static_cast<std::uint64_t>(options_.passes);
  }
  void seek(std::uint64_t window) override;

 private:
  void start();
  void make(std::size_t half);
  void open_window();
  std::size_t window_in_text() const;

  const EncoderText* text_;
  MaskedBatchOptions options_;
  std::vector<MaskedBatch> slots_;  // of two steps
  Step steps_[2];
  std::size_t half_ = 1;  // that was given last
  std::future<void> next_;

  // Of the thread that makes batches.
  std::uint64_t window_number_ = 0;  // counted over all passes
  bool is_open_ = false;
  TextWindow window_;
  std::vector<ExampleBatch> dealt_;
  std::size_t dealt_done_ = 0;
};

}  // namespace copse
