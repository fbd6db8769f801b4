#include "option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "parallel/task_pool.h"
#include "text/utf8.h"
#include "training/train_options.h"

namespace copse {
namespace {

constexpr int kMostThreads = 1024;

// Of names that are those of the command line: of options, and of arguments (FILES), which have no dashes.
const std::string& as_it_is(const std::string& name) { return name; }

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

void add_threads_option(CLI::App& command, int& threads) {
  threads = std::min(TaskPool::default_threads(), kMostThreads);
  command.add_option("--threads", threads, "Threads; the results are the same for any number")
      ->check(CLI::Range(1, kMostThreads))
      ->option_text("N [all cores]");
}

void add_device_option(CLI::App& command, Device& device) {
  const TrainOption& row = *find_train_option("device");
  add_choice(command, row.flag(), device, parse_device, row.choices, row.help)->option_text(row.value_text());
}

void refuse_non_finite_numbers(CLI::App& program) {
  for (CLI::Option* option : program.get_options(
           [](const CLI::Option* candidate) { return candidate->get_type_name().starts_with("FLOAT"); })) {
    option->check([](const std::string& text) -> std::string {
      double number = 0.0;
      const bool is_refused = CLI::detail::lexical_cast(text, number) && !std::isfinite(number);
      return is_refused ? fmt::format("{} is not a finite number", copse::quoted(text)) : "";
    });
  }
  for (CLI::App* command : program.get_subcommands({})) refuse_non_finite_numbers(*command);
}

void expect_no_input(const std::string& option, const std::string& output,
                     const std::vector<std::string>& inputs) {
  as_usage([&] { refuse_to_overwrite(option, output, inputs); }, as_it_is);
}

void expect_one_standard_input(const std::string& option, const std::vector<std::string>& paths) {
  as_usage([&] { refuse_two_standard_inputs(option, paths); }, as_it_is);
}

}  // namespace copse
