#include "training/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "text/utf8.h"

namespace copse {
namespace {

std::string line_of(const std::string& setting, const std::string& problem,
                    const std::vector<std::string>& others, const UsageError::Called& called) {
  std::string line = called(setting) + ": ";
  std::size_t begin = 0;
  for (const std::string& other : others) {
    const std::size_t place = problem.find("{}", begin);
    line += problem.substr(begin, place - begin) + called(other);
    begin = place + 2;
  }
  return line + problem.substr(begin);
}

}  // namespace

UsageError::UsageError(std::string setting, std::string problem, std::vector<std::string> others)
    : std::invalid_argument(line_of(setting, problem, others, [](const std::string& name) { return name; })),
      setting_(std::move(setting)),
      problem_(std::move(problem)),
      others_(std::move(others)) {}

std::string UsageError::text(const Called& called) const {
  return line_of(setting_, problem_, others_, called);
}

std::string flag_of(const std::string& setting) {
  if (setting.starts_with('-')) return setting;
  std::string flag = "--" + setting;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void refuse_to_overwrite(const std::string& setting, const std::string& output,
                         const std::vector<std::string>& inputs) {
  // A shell may have sent the standard input or output to a file that has a name here, too.
  const std::filesystem::path written = output == "-" ? "/dev/stdout" : output;
  std::error_code error;  // what does not exist is no file that could be lost
  if (!std::filesystem::is_regular_file(written, error)) return;
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(written, input == "-" ? "/dev/stdin" : input, error)) {
      throw UsageError(
          setting, fmt::format("{} would be overwritten, and is read, too; write to another file",
                               output == "-" ? "the file of the standard output" : copse::quoted(output)));
    }
  }
}

void refuse_two_standard_inputs(const std::string& setting, const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError(setting, "only one file can be the standard input (-)");
  }
}

}  // namespace copse
