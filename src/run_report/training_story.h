#pragma once

#include <string>

#include "analysis/training_page.h"
#include "evaluation/evaluator.h"

namespace copse {

// What the log of a training run says (see TrainingLog), also one that was interrupted and resumed: what the
// interrupted run did after its last checkpoint was done again, and does not count. Lines that were cut off
// when a run was killed are passed over. Throws DataError if the file cannot be read.
TrainingStory read_training_log(const std::string& path);

// Adds how good the probabilities of the arcs of development data are.
void add_calibration(const Evaluator& evaluator, TrainingStory& story);

}  // namespace copse
