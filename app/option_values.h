#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/parallel/device.h"
#include "training/usage_error.h"

namespace copse {

// What the library finds wrong with settings is a usage error of the command line, whose options are `called`
// this.
template <class F>
void as_usage(const F& f, const UsageError::Called& called = flag_of) {
  try {
    f();
  } catch (const UsageError& error) {
    throw CLI::ValidationError(error.text(called));
  }
}

// An option whose value is a number from `lowest` to `highest`, or the word that stands for none: then it is
// set to `word_value`. The caller's variable must outlive the parsing.
struct NumberOrWord {
  double lowest;
  double highest;
  std::string_view word;
  double word_value;
};
CLI::Option* add_number_or_word(CLI::App& command, const std::string& name, std::optional<double>& value,
                                const NumberOrWord& accepted, const std::string& description);

// --prune, the same for all commands that have it: "off" is a threshold of 0.
CLI::Option* add_prune_option(CLI::App& command, std::optional<double>& threshold,
                              const std::string& description);

// --threads; the machine's cores unless the user says otherwise.
void add_threads_option(CLI::App& command, int& threads);

// --device of commands that parse, in the words of `copse train`.
void add_device_option(CLI::App& command, Device& device);

// An option that takes one of some names. `parse` turns a name into the value and is never given another one.
template <class T, class Parse>
CLI::Option* add_choice(CLI::App& command, const std::string& option, T& value, Parse parse,
                        const std::vector<std::string>& names, const std::string& description) {
  return command
      .add_option_function<std::string>(
          option, [&value, parse](const std::string& name) { value = *parse(name); }, description)
      ->check(CLI::IsMember(names));
}

// Makes every option of every command that takes a number refuse those that are none, or infinite ("nan",
// "inf"): they pass comparisons with limits. Called once, after all commands have been added.
void refuse_non_finite_numbers(CLI::App& program);

// Refuses to write over what the same command reads, under whatever name: every command that writes a file
// calls it first. `option` is its name on the command line. Options that were not given are empty; - is what
// the shell made the standard input or output.
void expect_no_input(const std::string& option, const std::string& output,
                     const std::vector<std::string>& inputs);

// Only one of all the files that a command reads can be the standard input.
void expect_one_standard_input(const std::string& option, const std::vector<std::string>& paths);

}  // namespace copse
