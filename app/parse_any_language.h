#pragma once

#include "parse_command.h"

namespace copse {

// Whether the model is to be chosen by the text: --model auto.
bool is_automatic(const ParseCommandOptions& options);
// Throws CLI::ValidationError for options that need one model.
void parse_in_any_language(const ParseCommandOptions& options);

}  // namespace copse
