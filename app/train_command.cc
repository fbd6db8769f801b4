#include "training/train_command.h"

#include <algorithm>
#include <memory>

#include "interrupted.h"
#include "launch.h"
#include "optimisers/training_stopped.h"
#include "option_values.h"
#include "run_listener.h"
#include "train.h"
#include "train_options.h"

namespace copse {
namespace {

std::string as_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string train_command(const std::vector<std::string>& arguments, RunListener& listener) {
  if (const auto launch = find_launch(); has_copies(launch)) {
    throw UsageError(std::to_string(launch->size) +
                     " copies of the same training would overwrite each other; use the program (mpirun copse "
                     "train), or, if each copy has work of its own, set COPSE_ALONE=1");
  }
  CLI::App command;
  TrainOptions options;
  add_train_options(command, options);
  refuse_non_finite_numbers(command);
  const Listening listening(listener);
  try {
    std::vector<std::string> last_first(arguments.rbegin(), arguments.rend());
    command.parse(last_first);
    check_usage(command, options);
    return train(options);
  } catch (const CLI::ParseError& error) {
    throw UsageError(as_line(error.what()));
  } catch (const Interrupted&) {
    throw TrainingStopped();
  }
}

std::vector<std::string> train_option_names() {
  CLI::App command;
  TrainOptions options;
  add_train_options(command, options);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name());
  return names;
}

}  // namespace copse
