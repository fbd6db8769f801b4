#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "parallel/task_pool.h"
#include "sequence/sequence_trainer.h"
#include "tagging/tagger_model.h"

namespace copse {

struct TaggerTrainingOptions {
  // Empty: the columns that have values in the training data.
  std::vector<TagAttribute> attributes;
  int order = 2;  // of the first layer: 1 or 2
  LearnerKind learner = LearnerKind::adagrad;
  double l2 = 0.5;
  int iterations = 0;  // 0: the learner's default
  std::uint64_t seed = 1;
};

// Hears how the training goes. All calls come from the thread that trains.
class TaggerObserver : public SequenceObserver {
 public:
  // A part of the work begins: a phrase for people, such as "learning XPOS".
  virtual void on_stage(std::string_view /*what*/) {}
};

// Learns a tagger from the columns of sentences; empty ones count only as sentences. With development data,
// each layer keeps the iteration that is best there. In a team, each process has its own share of both, dealt
// out in turn. The same tagger for any number of threads and processes. Throws DataError when there is
// nothing to learn from.
TaggerModel train_tagger(std::span<const Sentence> sentences, std::span<const Sentence> development,
                         const TaggerTrainingOptions& options, TaskPool& pool, TaggerObserver& observer);

}  // namespace copse
