#pragma once

#include <string>
#include <vector>

#include "model/parser_model.h"
#include "training/train_request.h"

namespace copse {

// Without the folder.
std::string file_name(const std::string& path);
// In a line, for the facts of a model.
std::string file_names(const std::vector<std::string>& paths);

// Writes down what is given, in place of what the model said before.
void write_card(const ModelCard& card, ParserModel& model);

// Where a model comes from, for people who have nothing but its file. `tags` says where those came from that
// it has learnt from.
void add_facts(const TrainRequest& request, const std::string& tags, ParserModel& model);

}  // namespace copse
