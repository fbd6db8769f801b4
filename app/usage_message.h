#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace copse {

// What is wrong with a command line, in one line, with what was probably meant, and where the help is.
// `arguments` are those behind the program's name.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments);

}  // namespace copse
