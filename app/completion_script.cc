#include "completion_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace copse {
namespace {

constexpr size_t kLongestHint = 70;

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

// A string of fish: there a backslash escapes inside of quotes, too.
std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// The beginning of a description, as much as fits beside a name.
std::string hint(const std::string& description) {
  std::string text = description.substr(0, description.find_first_of(";\n"));
  if (text.size() <= kLongestHint) return text;
  const size_t space = text.rfind(' ', kLongestHint);
  return text.substr(0, space == std::string::npos ? kLongestHint : space) + " ...";
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::vector<std::string> option_names(const CommandOutline& command) {
  std::vector<std::string> names;
  for (const OptionOutline& option : command.options) {
    if (!option.is_positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> command_names(const CommandOutline& program) {
  std::vector<std::string> names;
  for (const CommandOutline& command : program.commands) names.push_back(command.name);
  return names;
}

std::string bash_proposals(const OptionOutline& option) {
  std::string proposals;
  if (!option.choices.empty())
    proposals += fmt::format(" _copse_words {};", shell_quoted(joined(option.choices, " ")));
  if (option.completion == CompletionKind::files) proposals += " _copse_paths -f;";
  if (option.completion == CompletionKind::folders) proposals += " _copse_paths -d;";
  return proposals.empty() ? " :;" : proposals;
}

std::string bash_command(const CommandOutline& command) {
  std::string text = fmt::format("    {})\n      case $option in\n", command.name);
  std::string positional;
  for (const OptionOutline& option : command.options) {
    if (option.is_positional) {
      positional += bash_proposals(option);
    } else if (option.takes_value) {
      text += fmt::format("        {}){};\n", joined(option.names, " | "), bash_proposals(option));
    }
  }
  text +=
      fmt::format("        *) if [[ $current == -* ]]; then _copse_words {}; else{} fi ;;\n",
                  shell_quoted(joined(option_names(command), " ")), positional.empty() ? " :;" : positional);
  return text + "      esac\n      ;;\n";
}

// The words of a specification of zsh's _arguments: these characters separate its parts.
std::string zsh_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_proposals(const OptionOutline& option) {
  std::string files = option.completion == CompletionKind::folders ? "_files -/" : "_files";
  const std::string words = joined(option.choices, " ");
  if (option.completion == CompletionKind::nothing) return words.empty() ? " " : fmt::format("({})", words);
  if (words.empty()) return files;
  return fmt::format("{{compadd {}; {}}}", words, files);
}

std::string zsh_option(const OptionOutline& option) {
  const std::string value = option.value.substr(0, option.value.find_first_of(" ["));
  std::string text;
  for (const std::string& name : option.names) {
    std::string specification;
    if (option.is_positional) {
      specification =
          fmt::format("{}{}:{}", option.is_repeated ? "*:" : ":", zsh_escaped(name), zsh_proposals(option));
    } else {
      const bool takes_equals = option.takes_value && name.starts_with("--");
      specification = fmt::format("{}{}{}[{}]", option.is_repeated ? "*" : "", name, takes_equals ? "=" : "",
                                  zsh_escaped(hint(option.description)));
      if (option.takes_value) {
        specification +=
            fmt::format(":{}:{}", zsh_escaped(value.empty() ? "value" : value), zsh_proposals(option));
      }
    }
    text += " \\\n        " + shell_quoted(specification);
  }
  return text;
}

std::string fish_option(const std::string& condition, const OptionOutline& option) {
  std::string text = fmt::format("complete -c copse -n {}", fish_quoted(condition));
  for (const std::string& name : option.names) {
    if (option.is_positional) continue;
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) text += " -a " + fish_quoted(joined(option.choices, " "));
  if (option.completion == CompletionKind::folders) text += " -a '(__fish_complete_directories)'";
  if (option.completion == CompletionKind::files) text += option.is_positional ? " -F" : " -r -F";
  if (option.takes_value && !option.is_positional && option.completion != CompletionKind::files)
    text += " -x";
  if (!option.is_positional) text += " -d " + fish_quoted(hint(option.description));
  return text + "\n";
}

}  // namespace

std::string bash_completion(const CommandOutline& program) {
  std::string text = fmt::format(
      "# bash completion for copse; made by `copse completion bash`.\n"
      "# Both add to what begins like $current of their caller.\n"
      "_copse_words() {{ COMPREPLY+=($(compgen -W \"$1\" -- \"$current\")); }}\n"
      "_copse_paths() {{\n"
      "  local path\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  while IFS= read -r path; do COMPREPLY+=(\"$path\"); done < <(compgen \"$1\" -- \"$current\")\n"
      "}}\n"
      "_copse() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} option= command= word\n"
      "  COMPREPLY=()\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case $word in\n"
      "      {}) command=$word; break ;;\n"
      "    esac\n"
      "  done\n"
      "  # The words of --option=value are three.\n"
      "  if [[ $current == = ]]; then\n"
      "    option=${{COMP_WORDS[COMP_CWORD-1]}} current=\n"
      "  elif ((COMP_CWORD > 1)) && [[ ${{COMP_WORDS[COMP_CWORD-1]}} == = ]]; then\n"
      "    option=${{COMP_WORDS[COMP_CWORD-2]}}\n"
      "  elif ((COMP_CWORD > 0)); then\n"
      "    option=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  fi\n"
      "  case $command in\n",
      joined(command_names(program), " | "));
  for (const CommandOutline& command : program.commands) text += bash_command(command);
  std::vector<std::string> first = command_names(program);
  const std::vector<std::string> options = option_names(program);
  first.insert(first.end(), options.begin(), options.end());
  text += fmt::format("    *) _copse_words {} ;;\n", shell_quoted(joined(first, " ")));
  return text +
         "  esac\n"
         "}\n"
         "complete -o default -F _copse copse\n";
}

std::string zsh_completion(const CommandOutline& program) {
  std::string text =
      "#compdef copse\n"
      "# zsh completion for copse; made by `copse completion zsh`.\n"
      "_copse() {\n"
      "  local context state state_descr line\n"
      "  typeset -A opt_args\n"
      "  _arguments -C";
  for (const OptionOutline& option : program.options) text += zsh_option(option);
  text +=
      " \\\n        ':command:->command' '*::argument:->argument' && return\n"
      "  case $state in\n"
      "    command)\n"
      "      local -a commands=(";
  for (const CommandOutline& command : program.commands) {
    text += "\n        " +
            shell_quoted(fmt::format("{}:{}", command.name, zsh_escaped(hint(command.description))));
  }
  text +=
      "\n      )\n"
      "      _describe command commands\n"
      "      ;;\n"
      "    argument)\n"
      "      case $words[1] in\n";
  for (const CommandOutline& command : program.commands) {
    text += fmt::format("      {})\n        _arguments", command.name);
    for (const OptionOutline& option : command.options) text += zsh_option(option);
    text += "\n        ;;\n";
  }
  return text +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _copse ]]; then _copse \"$@\"; else compdef _copse copse; fi\n";
}

std::string fish_completion(const CommandOutline& program) {
  std::string text =
      "# fish completion for copse; made by `copse completion fish`.\n"
      "complete -c copse -f\n";
  for (const OptionOutline& option : program.options) text += fish_option("__fish_use_subcommand", option);
  for (const CommandOutline& command : program.commands) {
    text += fmt::format("complete -c copse -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(hint(command.description)));
  }
  for (const CommandOutline& command : program.commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const OptionOutline& option : command.options) text += fish_option(condition, option);
  }
  return text;
}

}  // namespace copse
