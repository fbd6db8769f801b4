#pragma once

#include <string>

#include "command_outline.h"

namespace copse {

// Scripts by which a shell completes the program's command lines: names of commands and options, values of
// options that are words, and names of files and folders where these are meant.
std::string bash_completion(const CommandOutline& program);
std::string zsh_completion(const CommandOutline& program);
std::string fish_completion(const CommandOutline& program);

}  // namespace copse
