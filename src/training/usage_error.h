#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace copse {

// What is wrong with the options of a training, in one line that begins with the option, as the command line
// has it: "--l2: the learner mira has no such penalty".
class UsageError : public std::invalid_argument {
 public:
  UsageError(const std::string& option, const std::string& problem)
      : std::invalid_argument(option + ": " + problem) {}
};

// Throws UsageError for an output that would overwrite what is read, too, under whatever name. Options that
// were not given are empty; - is what the shell made the standard input or output.
void refuse_to_overwrite(const std::string& option, const std::string& output,
                         const std::vector<std::string>& inputs);

// Throws UsageError if more than one of all files that are read is the standard input.
void refuse_two_standard_inputs(const std::string& option, const std::vector<std::string>& paths);

}  // namespace copse
