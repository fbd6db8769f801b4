#include "training/option_settings.h"

#include <fmt/format.h>

#include <string>

#include "features/hashing.h"

namespace copse {

std::uint64_t hash_setting(std::uint64_t hash, std::string_view name, const SettingValue& value) {
  const auto add = [&hash](std::string_view text) { hash = mix(hash + hash_text(text)); };
  add(name);
  if (const auto* flag = std::get_if<bool>(&value)) add(*flag ? "yes" : "no");
  if (const auto* count = std::get_if<std::uint64_t>(&value)) add(std::to_string(*count));
  if (const auto* number = std::get_if<double>(&value)) add(fmt::format("{}", *number));
  if (const auto* text = std::get_if<std::string>(&value)) add(*text);
  return hash;
}

}  // namespace copse
