#pragma once

#include <nlohmann/json.hpp>

#include "crossing_arcs.h"
#include "parallel/task_pool.h"

namespace copse {

// Parsers with hashed features that learn in a few passes, whatever kind of potentials the model will have:
// which way suits a treebank is a matter of its trees. Stops on signals as other training does.
TryCrossingArcs short_trials(const TrainingOptions& options, bool has_labels, TaskPool& pool);

nlohmann::ordered_json choice_json(const CrossingArcsChoice& choice);

}  // namespace copse
