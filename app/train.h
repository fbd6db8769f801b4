#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "train_options.h"

namespace copse {

// Learns a model from files, all processes of current_team() together, of which the first one writes it.
// Returns what there is to say at the end. Throws CLI::ValidationError, DataError, and Interrupted after
// signals.
std::string train(const TrainOptions& options);

}  // namespace copse
