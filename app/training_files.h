#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "optimisers/learner_kind.h"

namespace copse {

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
