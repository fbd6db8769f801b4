#pragma once

#include <string>

#include "command_outline.h"

namespace copse {

// Manual pages for `man`, with all that --help says: copse(1), and copse-COMMAND(1) of one of its commands.
std::string program_page(const CommandOutline& program);
std::string command_page(const CommandOutline& program, const CommandOutline& command);

}  // namespace copse
