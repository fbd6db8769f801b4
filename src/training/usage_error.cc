#include "training/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "text/utf8.h"

namespace copse {

void refuse_to_overwrite(const std::string& option, const std::string& output,
                         const std::vector<std::string>& inputs) {
  // A shell may have sent the standard input or output to a file that has a name here, too.
  const std::filesystem::path written = output == "-" ? "/dev/stdout" : output;
  std::error_code error;  // what does not exist is no file that could be lost
  if (!std::filesystem::is_regular_file(written, error)) return;
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(written, input == "-" ? "/dev/stdin" : input, error)) {
      throw UsageError(
          option, fmt::format("{} would be overwritten, and is read, too; write to another file",
                              output == "-" ? "the file of the standard output" : copse::quoted(output)));
    }
  }
}

void refuse_two_standard_inputs(const std::string& option, const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError(option, "only one file can be the standard input (-)");
  }
}

}  // namespace copse
