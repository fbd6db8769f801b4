#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace copse {

// --model of commands that can do with the model in the box.
CLI::Option* add_model_option(CLI::App& command, std::string& model);

// The file that is meant by --model, or without it. Throws DataError if there is none (see Model::load()).
std::string model_path(const std::string& model);

}  // namespace copse
