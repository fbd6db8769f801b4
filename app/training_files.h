#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "optimisers/learner_kind.h"

namespace copse {

// For the facts of a model. Where the files lie is nobody's business but the user's, and it would make equal
// models differ.
std::string file_names(const std::vector<std::string>& paths);

// A command that learns if it is given --train, and otherwise uses what it has learnt. The options of one way
// make no sense in the other.
struct TrainOrUse {
  const std::vector<std::string>& train;
  const std::vector<std::string>& dev;
  const std::string& model;
  const std::vector<std::string>& input;
  LearnerKind learner;
  std::string_view use;  // such as "tagging"
  std::vector<std::string> of_training;
  std::vector<std::string> of_use;
};
// Throws CLI::ValidationError.
void check_train_or_use(const CLI::App& command, const TrainOrUse& options);

}  // namespace copse
