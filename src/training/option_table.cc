#include "training/option_table.h"

namespace copse {

TrainOption& OptionTable::add(OptionKind kind, std::string name, std::string placeholder, std::string help) {
  TrainOption& option = options_.emplace_back();
  option.kind = kind;
  option.name = std::move(name);
  option.placeholder = std::move(placeholder);
  option.help = std::move(help);
  return option;
}

std::vector<TrainOption> OptionTable::take() {
  const TrainRequest request;
  for (TrainOption& option : options_) {
    if (!option.otherwise.empty() || option.kind == OptionKind::flag) continue;
    const std::optional<SettingValue> value = option.get(request);
    if (!value) continue;
    if (const auto* text = std::get_if<std::string>(&*value)) option.otherwise = *text;
    if (const auto* number = std::get_if<std::uint64_t>(&*value)) option.otherwise = std::to_string(*number);
    if (const auto* number = std::get_if<double>(&*value)) option.otherwise = fmt::format("{}", *number);
  }
  return std::move(options_);
}

}  // namespace copse
