#pragma once

#include <span>
#include <vector>

#include "learning/trainer.h"
#include "learning/training_set.h"

namespace copse {

// The sentences to learn from, with trees that the options allow: see PreparationReport for what is left out
// or changed.
std::vector<TrainingSentence> prepare_training_set(std::span<const Sentence> sentences,
                                                   const TrainingOptions& options, PreparationReport& report);

}  // namespace copse
