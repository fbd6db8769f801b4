#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace copse {

// What CLI11 says about a value of one of the command's options, such as "--bins: Value 0 not in range 1 to
// 1000", in plain words: "--bins must be between 1 and 1,000, not 0". Nothing for messages that are not
// CLI11's own.
std::optional<std::string> plain_option_message(const CLI::App& command, const std::string& message);

}  // namespace copse
