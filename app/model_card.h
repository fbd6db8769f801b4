#pragma once

#include <CLI/CLI.hpp>

#include "training/train_request.h"

namespace copse {

// --language, --licence, --attribution, --description.
void add_card_options(CLI::App& command, ModelCard& card);

}  // namespace copse
