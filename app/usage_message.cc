#include "usage_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "option_messages.h"
#include "text/closest_name.h"
#include "text/utf8.h"

namespace copse {
namespace {

// CLI11 writes sentences, some with several lines; ours are parts of one line.
std::string as_clause(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && (message.back() == '.' || message.back() == ' ')) message.pop_back();
  if (message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])) != 0) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// The only name that begins like this, or else the closest one; empty if there is none.
std::string probable_name(std::string_view given, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  constexpr std::size_t kFewestLetters = 4;  // with the dashes of an option
  if (given.size() >= kFewestLetters) {
    const auto begins_so = [given](std::string_view name) { return name.starts_with(given); };
    const auto found = std::find_if(views.begin(), views.end(), begins_so);
    if (found != views.end() && std::none_of(found + 1, views.end(), begins_so)) return std::string(*found);
  }
  return std::string(closest_name(given, views));
}

// Some other command that has this option.
std::string command_with_option(const CLI::App& program, const std::string& option) {
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    const std::vector<std::string> names = option_names(*command);
    if (std::find(names.begin(), names.end(), option) != names.end()) return command->get_name();
  }
  return {};
}

std::string unknown_option(const CLI::App& program, const CLI::App& command, const std::string& argument) {
  const std::string option = argument.substr(0, argument.find('='));
  const std::string message = fmt::format("there is no option {}", copse::quoted(option));
  if (const std::string name = probable_name(option, option_names(command)); !name.empty()) {
    return fmt::format("{}; did you mean {}?", message, name);
  }
  const std::string other = command_with_option(program, option);
  return other.empty() ? message : fmt::format("{} here, but `copse {}` has one", message, other);
}

std::string unknown_command(const CLI::App& program, const std::string& word) {
  std::string message = fmt::format("there is no command {}", copse::quoted(word));
  if (const std::string name = probable_name(word, command_names(program)); !name.empty()) {
    return fmt::format("{}; did you mean {}?", message, name);
  }
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error)) {
    return fmt::format("{}; to parse this file, say `copse parse {}`", message, word);
  }
  return message;
}

std::string what_is_wrong(const CLI::App& program, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  // Of a word that is no command CLI11 says only that it misses a command.
  if (chosen.empty() && error.get_name() == "RequiredError") {
    if (arguments.empty()) return "a command is missing";
    const std::string& first = arguments.front();
    return first.starts_with('-') ? unknown_option(program, program, first) : unknown_command(program, first);
  }
  // What is missing was perhaps misspelt.
  const bool has_surplus = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (!chosen.empty() && has_surplus) {
    for (const std::string& argument : program.remaining(true)) {
      if (argument.starts_with("--")) return unknown_option(program, *chosen.front(), argument);
    }
  }
  const CLI::App& command = chosen.empty() ? program : *chosen.front();
  if (const auto plain = plain_option_message(command, error.what())) return *plain;
  return as_clause(error.what());
}

}  // namespace

std::string usage_message(const CLI::App& program, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  std::string help = "copse";
  for (const CLI::App* command : program.get_subcommands()) help += " " + command->get_name();
  const std::string wrong = what_is_wrong(program, error, arguments);
  return fmt::format("{} `{} --help`", wrong.ends_with('?') ? wrong + " See" : wrong + "; see", help);
}

}  // namespace copse
