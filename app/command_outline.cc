#include "command_outline.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace copse {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// A value as the user types it, not a name of one such as FILE.
bool is_literal(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  });
}

// CLI11 describes the check of an option that takes one of some words by "{best,mbr}".
std::vector<std::string> checked_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{');
  const size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return split(std::string_view(type).substr(open + 1, close - open - 1), ',');
}

bool has_names(const CLI::Option& option) {
  return !option.get_snames().empty() || !option.get_lnames().empty();
}

// Of an option by its names, or of the argument that stands for it without a name.
OptionOutline outline_of(const CLI::Option& option, bool is_positional) {
  OptionOutline outline;
  outline.is_positional = is_positional;
  if (outline.is_positional) {
    outline.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) outline.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) outline.names.push_back("--" + name);
  }
  outline.group = option.get_group();
  outline.description = option.get_description();
  outline.takes_value = option.get_items_expected_max() > 0;
  outline.is_required = option.get_required();
  outline.is_repeated = option.get_items_expected_max() > 1;
  if (!outline.takes_value) return outline;

  outline.value = option.get_option_text();
  if (!outline.is_positional && outline.value.empty()) outline.value = option.get_type_name();
  outline.choices = checked_words(option);
  const std::string what = outline.value.substr(0, outline.value.find(" ["));
  if (outline.choices.empty()) {
    for (const std::string& word : split(what, '|')) {
      if (is_literal(word)) outline.choices.push_back(word);
    }
  }
  if (what.find("FOLDER") != std::string::npos) {
    outline.completion = CompletionKind::folders;
  } else if (what.find("FILE") != std::string::npos || (outline.is_positional && outline.choices.empty())) {
    outline.completion = CompletionKind::files;
  }
  return outline;
}

}  // namespace

CommandOutline outline_of(const CLI::App& command) {
  CommandOutline outline{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) outline.options.push_back(outline_of(*option, true));
    if (has_names(*option)) outline.options.push_back(outline_of(*option, false));
  }
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App* candidate) {
         return !candidate->get_name().empty() && !candidate->get_group().empty();
       })) {
    outline.commands.push_back(outline_of(*inner));
  }
  return outline;
}

}  // namespace copse
