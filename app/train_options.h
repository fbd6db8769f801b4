#pragma once

#include <CLI/CLI.hpp>

#include "training/train_request.h"

namespace copse {

// The options of `copse train`, as the table of all options has them. Borrows the request.
void add_train_options(CLI::App& command, TrainRequest& request);

}  // namespace copse
