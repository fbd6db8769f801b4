#include "train_options.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "option_values.h"
#include "training/train_options.h"

namespace copse {
namespace {

// What completions of shells look for: the type of the option has its choices.
CLI::Validator choices_of(const TrainOption& option) {
  return CLI::Validator(fmt::format("{{{}}}", fmt::join(option.choices, ",")));
}

CLI::Option* add(CLI::App& command, const TrainOption& option, TrainRequest& request) {
  const auto set = [&option, &request](const SettingValue& value) {
    as_usage([&] { option.set(request, value); });
  };
  // The first files need no name.
  const std::string names = option.name == "train" ? "FILES," + option.flag() : option.flag();
  if (option.kind == OptionKind::flag) {
    return command.add_flag_callback(
        names, [set] { set(true); }, option.help);
  }
  CLI::Option* added = option.kind == OptionKind::files
                           ? command.add_option_function<std::vector<std::string>>(names, set, option.help)
                           : command.add_option_function<std::string>(
                                 names, [set](const std::string& text) { set(text); }, option.help);
  if (!option.choices.empty()) added->check(choices_of(option));
  return added->option_text(option.value_text())->required(option.is_required);
}

}  // namespace

void add_train_options(CLI::App& command, TrainRequest& request) {
  for (const TrainOption& option : train_options()) {
    CLI::Option* added = add(command, option, request);
    if (option.scope == OptionScope::network) added->group("Networks");
  }
}

}  // namespace copse
