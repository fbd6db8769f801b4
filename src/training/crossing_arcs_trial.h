#pragma once

#include "parallel/task_pool.h"
#include "training/crossing_arcs.h"
#include "training/train_observer.h"

namespace copse {

// Parsers with hashed features that learn in a few passes, whatever kind of potentials the model will have:
// which way suits a treebank is a matter of its trees. Borrows pool and observer.
TryCrossingArcs short_trials(const TrainingOptions& options, bool has_labels, TaskPool& pool,
                             TrainObserver& observer);

}  // namespace copse
