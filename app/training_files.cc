#include "training_files.h"

#include <fmt/format.h>

#include "option_values.h"

namespace copse {

void check_train_or_use(const CLI::App& command, const TrainOrUse& options) {
  const bool trains = !options.train.empty();
  for (const std::string& name : trains ? options.of_use : options.of_training) {
    if (command.count(name) == 0) continue;
    throw CLI::ValidationError(
        name, trains ? fmt::format("is for {}; leave it out, or leave out --train", options.use)
                     : "is for training; give --train, too");
  }
  if (!trains) {
    std::vector<std::string> files = options.input;
    files.push_back(options.model);
    expect_one_standard_input("--model", files);
    return;
  }
  std::vector<std::string> files = options.train;
  files.insert(files.end(), options.dev.begin(), options.dev.end());
  expect_one_standard_input("--train", files);
  if (options.model.empty()) throw CLI::RequiredError("--model");
  if (options.model == "-") throw CLI::ValidationError("--model", "name a file");
  expect_no_input("--model", options.model, files);
  if (command.count("--l2") > 0 && options.learner == LearnerKind::perceptron) {
    throw CLI::ValidationError("--l2", "the learner perceptron has no such penalty");
  }
}

}  // namespace copse
