#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace copse {

// What a shell can propose as the value of an option or as an argument, beside OptionOutline::choices.
enum class CompletionKind : std::uint8_t { nothing, files, folders };

// An option, a flag or a positional argument of a command.
struct OptionOutline {
  std::vector<std::string> names;  // "-h", "--help"; the name alone if it is positional: "FILES"
  std::string group;               // the heading that help lists it under
  std::string value;               // as help writes it: "FILE [-]"; empty for flags
  std::string description;
  std::vector<std::string> choices;  // words that are values; others may be, too
  CompletionKind completion = CompletionKind::nothing;
  bool is_positional = false;
  bool takes_value = false;
  bool is_required = false;
  bool is_repeated = false;  // may be given, or take values, several times
};

// A command with all that its --help says: what man pages and shell completions are made of. Hidden commands
// and options are left out.
struct CommandOutline {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionOutline> options;
  std::vector<CommandOutline> commands;
};

CommandOutline outline_of(const CLI::App& command);

}  // namespace copse
