#pragma once

#include <span>
#include <vector>

#include "model/part_scorer.h"
#include "parser_training/trainer.h"
#include "parser_training/training_set.h"

namespace copse {

// Trains the first-order model that prunes arcs, and sets the candidates of all sentences.
//
// A model knows its own training data too well: it would prune there with a confidence that it does not have
// on new sentences, and the higher-order model would never learn to choose among realistic candidates. So
// every training sentence is pruned by a model that has not seen it (cross-fitting), and only new sentences
// by the one that is returned, which has seen all. Gold arcs of training sentences are always candidates.
// In a team, each process has its own sentences, and all get the same model.
LinearModel train_pruner(std::span<TrainingSentence> training, std::span<TrainingSentence> development,
                         const FeatureOptions& features, const TrainingOptions& options, TaskPool& pool,
                         PruningReport& report);

}  // namespace copse
