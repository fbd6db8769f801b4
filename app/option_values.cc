#include "option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "io/utf8.h"
#include "parallel/task_pool.h"

namespace copse {
namespace {

constexpr int kMostThreads = 1024;

}  // namespace

CLI::Option* add_number_or_word(CLI::App& command, const std::string& name, std::optional<double>& value,
                                const NumberOrWord& accepted, const std::string& description) {
  const auto parse = [name, accepted, &value](const std::string& text) {
    if (text == accepted.word) {
      value = accepted.word_value;
      return;
    }
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number || !(number >= accepted.lowest && number <= accepted.highest)) {
      throw CLI::ValidationError(
          name, fmt::format("{} is neither a number from {} to {} nor {}", copse::quoted(text),
                            accepted.lowest, accepted.highest, accepted.word));
    }
    value = number;
  };
  return command.add_option_function<std::string>(name, parse, description);
}

CLI::Option* add_prune_option(CLI::App& command, std::optional<double>& threshold,
                              const std::string& description) {
  constexpr NumberOrWord kThreshold{0.0, 1.0, "off", 0.0};
  return add_number_or_word(command, "--prune", threshold, kThreshold, description);
}

CLI::Validator finite_range(double lowest, double highest) {
  const std::string range = fmt::format("[{} - {}]", lowest, highest);
  return {[=](const std::string& text) {
            double number = 0.0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool is_number = error == std::errc() && end == text.data() + text.size();
            if (is_number && number >= lowest && number <= highest) return std::string();
            return fmt::format("{} is not a number from {} to {}", copse::quoted(text), lowest, highest);
          },
          range};
}

void add_threads_option(CLI::App& command, int& threads) {
  threads = std::min(TaskPool::default_threads(), kMostThreads);
  command.add_option("--threads", threads, "Threads; the results are the same for any number")
      ->check(CLI::Range(1, kMostThreads))
      ->option_text("N [all cores]");
}

void expect_one_standard_input(const std::string& option, const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw CLI::ValidationError(option, "only one file can be the standard input (-)");
  }
}

void expect_not_overwritten(const std::string& option, const std::string& output,
                            const std::vector<std::string>& inputs) {
  std::error_code ignored;  // files that do not exist are not the same
  for (const std::string& input : inputs) {
    if (input == "-" || !std::filesystem::is_regular_file(output, ignored)) continue;
    if (std::filesystem::equivalent(input, output, ignored)) {
      throw CLI::ValidationError(
          option, fmt::format("would overwrite {}, which is read; name another file", copse::quoted(input)));
    }
  }
}

}  // namespace copse
