#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "language/language_guesser.h"
#include "model/parser_model.h"
#include "pipeline/model_folders.h"

namespace copse {

// --model of commands that can do with the model in the box.
CLI::Option* add_model_option(CLI::App& command, std::string& model);

// The file that is meant by --model, or without it. Throws DataError if there is none (see Model::load()).
std::string model_path(const std::string& model);

// All models that can be named.
std::vector<FoundModel> known_models();
// Those of them that know what their language looks like.
std::vector<KnownLanguage> known_languages();
// What a model says of itself, such as its language; empty if it does not.
std::string fact_of(const ParserModel::Facts& facts, std::string_view key);

}  // namespace copse
