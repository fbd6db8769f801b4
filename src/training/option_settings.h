#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pipeline/model_settings.h"
#include "training/option_row.h"

namespace copse {

// Goes on with the fingerprint of a run: with one more option.
std::uint64_t hash_setting(std::uint64_t hash, std::string_view name, const SettingValue& value);

// What a model says about its making: all that it depends on.
template <class Request>
ModelSettings settings_of(std::span<const RequestOption<Request>> options, const Request& request) {
  ModelSettings settings;
  for (const RequestOption<Request>& option : options) {
    if (option.effect == OptionEffect::none || !option.is_about(request)) continue;
    if (auto value = option.get(request)) settings.emplace_back(option.name, option.kept(std::move(*value)));
  }
  return settings;
}

// Of the options that checkpoints depend on.
template <class Request>
std::uint64_t fingerprint_of(std::span<const RequestOption<Request>> options, const Request& request) {
  std::uint64_t hash = 0;
  for (const RequestOption<Request>& option : options) {
    if (option.effect != OptionEffect::model || !option.is_about(request)) continue;
    if (const auto value = option.get(request)) hash = hash_setting(hash, option.name, *value);
  }
  return hash;
}

}  // namespace copse
