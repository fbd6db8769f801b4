#pragma once

#include <cstdint>
#include <span>

#include "labelling/labeller_model.h"
#include "sequence/sequence_trainer.h"

namespace copse {

struct LabellerTrainingOptions {
  LearnerKind learner = LearnerKind::adagrad;
  double l2 = 0.5;
  int iterations = 0;  // 0: the learner's default
  std::uint64_t seed = 1;
};

// Learns to label from the trees of sentences; heads with a modifier that has no label are left out. With
// development data, keeps the iteration that labels its trees best. In a team, each process has its own share
// of both, dealt out in turn. The same labeller for any number of threads and processes. Throws DataError
// when there is nothing to learn from.
LabellerModel train_labeller(std::span<const Sentence> sentences, std::span<const Sentence> development,
                             const LabellerTrainingOptions& options, TaskPool& pool,
                             SequenceObserver& observer);

}  // namespace copse
