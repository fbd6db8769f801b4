#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace copse {

// --model of commands that can do with the model in the box.
CLI::Option* add_model_option(CLI::App& command, std::string& model);

// The model that is meant: `model` itself, or without one the file that COPSE_MODEL names, or the English
// model that came with the program. Throws DataError if there is none.
std::string model_path(const std::string& model);

}  // namespace copse
