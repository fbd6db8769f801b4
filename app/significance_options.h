#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "evaluation/significance.h"

namespace copse {

// --bootstrap, --trials and --seed, of commands that compare systems.
std::vector<CLI::Option*> add_significance_options(CLI::App& command, SignificanceOptions& options);

}  // namespace copse
