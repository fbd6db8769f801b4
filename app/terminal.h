#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "render/style.h"

namespace copse {

// The options of commands that draw.
struct TerminalOptions {
  std::string colour = "auto";
  bool ascii = false;
  int columns = 0;  // 0: as wide as the terminal
};

void add_terminal_options(CLI::App& command, TerminalOptions& options);

// What the standard output can show, unless the options say otherwise. Colour needs a terminal that knows it
// and a user who has not set NO_COLOR; box characters need a locale that is not bound to another encoding.
Canvas canvas_for(const TerminalOptions& options);

}  // namespace copse
