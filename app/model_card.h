#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "model/parser_model.h"

namespace copse {

// What people must know of a model before they use it, and nobody can find out from its weights.
struct ModelCard {
  std::string licence;
  std::string attribution;
  std::string description;
};

// --licence, --attribution, --description.
void add_card_options(CLI::App& command, ModelCard& card);

// Writes down what is given, in place of what the model said before.
void write_card(const ModelCard& card, ParserModel& model);

}  // namespace copse
