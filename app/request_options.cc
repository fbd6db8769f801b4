#include "request_options.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "option_values.h"

namespace copse {
namespace {

// What completions of shells look for: the type of the option has its choices.
CLI::Validator choices_of(const OptionRow& option) {
  return CLI::Validator(fmt::format("{{{}}}", fmt::join(option.choices, ",")));
}

template <class Request>
CLI::Option* add(CLI::App& command, const RequestOption<Request>& option, Request& request) {
  const auto set = [&option, &request](const SettingValue& value) {
    as_usage([&] { option.set(request, value); });
  };
  const std::string names = option.needs_no_name ? "FILES," + option.flag() : option.flag();
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

void add_options(CLI::App& command, std::span<const RequestOption<TrainRequest>> options,
                 TrainRequest& request) {
  for (const auto& option : options) {
    CLI::Option* added = add(command, option, request);
    if (option.scope == OptionScope::network) added->group("Networks");
  }
}

void add_options(CLI::App& command, std::span<const RequestOption<PretrainRequest>> options,
                 PretrainRequest& request) {
  for (const auto& option : options) add(command, option, request);
}

}  // namespace copse
