#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "training/option_row.h"

namespace copse::testing {

// Some value that an option takes, and that is not what a request has now.
inline SettingValue other_value(const OptionRow& option, const std::optional<SettingValue>& now) {
  const auto other = [&now](const auto& one, const auto& two) {
    return now == std::optional<SettingValue>(one) ? SettingValue(two) : SettingValue(one);
  };
  switch (option.kind) {
    case OptionKind::flag:
      return other(false, true);
    case OptionKind::integer:
    case OptionKind::size: {
      const auto step = std::max(static_cast<std::uint64_t>(option.least), option.multiple);
      return other(step, step + option.multiple);
    }
    case OptionKind::number:
      return other(option.most / 4, option.most / 2);
    case OptionKind::name:
      return other(option.choices.front(), option.choices.back());
    case OptionKind::text:
    case OptionKind::file:
      return other(std::string("one"), std::string("two"));
    case OptionKind::files:
      return other(std::vector<std::string>{"one"}, std::vector<std::string>{"two", "three"});
  }
  return false;
}

}  // namespace copse::testing
