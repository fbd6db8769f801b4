#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "parallel/task_pool.h"
#include "segmentation/segmenter_model.h"
#include "sequence/sequence_trainer.h"

namespace copse {

struct SegmenterTrainingOptions {
  int order = 2;  // of the chain: 1 or 2
  LearnerKind learner = LearnerKind::adagrad;
  double l2 = 0.5;
  int iterations = 0;  // 0: the learner's default
  std::uint64_t seed = 1;
};

// Hears how the training goes. All calls come from the thread that trains.
class SegmenterObserver : public SequenceObserver {
 public:
  struct Data {
    std::int64_t characters = 0;  // of the training data; space counts once
    std::int64_t slots = 0;       // places where a token may begin
    std::int64_t lost = 0;        // tokens that begin elsewhere
    std::size_t words = 0;        // that are known
    std::size_t split_forms = 0;  // multiword tokens: those with entries of their own, and rules for ends
    std::size_t split_ends = 0;
  };
  virtual void on_data(const Data&) {}
};

// Learns to find the sentences, tokens and words of running text from sentences that follow each other in it.
// With development data, the best iteration there is kept. In a team, each process has its own share of both,
// dealt out in turn; texts are made of the sentences of all. The same segmenter for any number of threads and
// processes. Throws DataError when there is nothing to learn from.
SegmenterModel train_segmenter(std::span<const Sentence> sentences, std::span<const Sentence> development,
                               const SegmenterTrainingOptions& options, TaskPool& pool,
                               SegmenterObserver& observer);

}  // namespace copse
