#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/parser_model.h"
#include "train_options.h"

namespace copse {

// How a parser was made, for those who have nothing but its file. `tags` says where those came from that it
// has learnt from.
void add_facts(const TrainOptions& options, const TrainingOptions& training, const std::string& tags,
               ParserModel& model);

// For the log of the run.
nlohmann::ordered_json settings_json(const TrainOptions& options, const TrainingOptions& training);

}  // namespace copse
