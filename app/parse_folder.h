#pragma once

#include <string>

#include "parse_command.h"

namespace copse {

// Whether --output names a folder: one that there is, or any name with a slash at its end.
bool is_folder_name(const std::string& output);

// `copse parse` with a folder for its output: every file is parsed into one of its own, by all processes of
// the current team together. Collective.
void parse_to_folder(const ParseCommandOptions& options);

}  // namespace copse
