#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "copse/parallel/device.h"
#include "network/packed_matrix.h"
#include "network/pretrained_encoder.h"
#include "parser_training/trainer.h"
#include "pretraining/encoder_text.h"
#include "pretraining/masked_batches.h"

namespace copse {

// Of AdamW (Loshchilov and Hutter 2019).
struct MaskedLearningOptions {
  float rate = 2e-3F;  // after the first steps; falls to a twentieth
  float weight_decay = 0.01F;
  float norm = 1.0F;  // gradients are cut to this length
  float average_decay = 0.998F;
  std::uint64_t seed = 1;
};

struct PretrainingOptions {
  NetworkShape shape;  // of input and encoder
  std::uint64_t min_count = 5;
  std::size_t max_words = 50'000;
  MaskedBatchOptions batches;
  MaskedLearningOptions learning;
  float dropout = 0.1F;
  std::optional<Precision> precision;  // of products on processors; none: the quickest
  Device device = Device::cpu;
  std::uint64_t window_words = EncoderText::kWindowWords;
  double checkpoint_seconds = 60.0;  // between two checkpoints, at least
};

// How far a run is.
struct MaskedProgress {
  std::uint64_t words = 0;  // of the text, in all passes so far
  std::uint64_t total = 0;  // likewise, in the end
  double loss = 0.0;        // of a hidden word, in the iteration so far
};

// Hears how it goes. All calls come from the thread that learns.
class PretrainingObserver : public IterationObserver {
 public:
  virtual void on_vocabulary(const TextVocabulary& /*vocabulary*/) {}
  virtual void on_step(const MaskedProgress&) {}
};

// Learns an encoder from a text that is complete but for choose(), by guessing hidden words. The same text
// and options give the same encoder for any number of threads, interrupted or not, and for any number of
// processes: of the pool's team, all make this call, rank 0 with the text and the others with null. Throws
// DataError when there is nothing to learn from, or a checkpoint does not belong to this text and these
// options, whose fingerprint the caller gives (CheckpointOptions::options).
PretrainedEncoder pretrain(EncoderText* text, const PretrainingOptions& options,
                           const CheckpointOptions& checkpoints, TaskPool& pool,
                           PretrainingObserver& observer);

}  // namespace copse
