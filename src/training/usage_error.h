#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace copse {

// What is wrong with the options of a training, in one line that begins with the option, in the words of the
// library: "l2: the learner mira has no such penalty".
class UsageError : public std::invalid_argument {
 public:
  // `problem` has a {} for each of the other options that it names.
  UsageError(std::string setting, std::string problem, std::vector<std::string> others = {});

  // The same line, with what a program calls its options.
  using Called = std::function<std::string(const std::string& setting)>;
  std::string text(const Called& called) const;

 private:
  std::string setting_;
  std::string problem_;
  std::vector<std::string> others_;
};

// What the command line calls a setting: --max-length. A name that begins with a dash is one already.
std::string flag_of(const std::string& setting);

// Throws UsageError for an output that would overwrite what is read, too, under whatever name. Options that
// were not given are empty; - is what the shell made the standard input or output.
void refuse_to_overwrite(const std::string& setting, const std::string& output,
                         const std::vector<std::string>& inputs);

// Throws UsageError if more than one of all files that are read is the standard input.
void refuse_two_standard_inputs(const std::string& setting, const std::vector<std::string>& paths);

}  // namespace copse
