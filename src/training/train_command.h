#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Hears how a training run goes, in the place of the terminal, and may stop it. All calls come from the
// thread that trains; what they throw goes through to the caller.
class RunListener {
 public:
  virtual ~RunListener() = default;
  // A line that people would see.
  virtual void on_message(std::string_view /*line*/) {}
  // A line of the log: a JSON object.
  virtual void on_event(const std::string& /*json*/) {}
  // Whether the run should stop at the next good place. It can be resumed then.
  virtual bool should_stop() { return false; }
};

// What is wrong with the arguments, in one line as `copse train` has it.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// `copse train` for programs: the arguments are those that would follow on the command line, and what the
// terminal and the log would be told is told to the listener, too. Nothing is written to the standard output
// or the standard error, and signals are left alone. Returns what the command writes at the end.
//
// Throws UsageError, DataError, and TrainingStopped if the listener has stopped the run. It is defined by the
// library copse_training, which is made of those files of the program that training needs.
std::string train_command(const std::vector<std::string>& arguments, RunListener& listener);

// The names of all options, such as "--max-length".
std::vector<std::string> train_option_names();

}  // namespace copse
