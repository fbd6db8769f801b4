#include "training/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "text/utf8.h"

namespace copse {

void refuse_to_overwrite(const std::string& option, const std::string& output,
                         const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;  // what does not exist is no file that could be lost
    if (input != "-" && output != "-" && std::filesystem::equivalent(output, input, error)) {
      throw UsageError(option, fmt::format("{} would be overwritten, and is read, too; write to another file",
                                           copse::quoted(output)));
    }
  }
}

void refuse_two_standard_inputs(const std::string& option, const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError(option, "only one file can be the standard input (-)");
  }
}

}  // namespace copse
