#include "run_report/setting_json.h"

#include <variant>

#include "training/train_options.h"

namespace copse {

nlohmann::ordered_json setting_json(const SettingValue& value) {
  return std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value);
}

nlohmann::ordered_json settings_json(const ModelSettings& settings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : settings) json[name] = setting_json(value);
  return json;
}

nlohmann::ordered_json request_json(const TrainRequest& request) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const TrainOption& option : train_options()) {
    if (!option.is_about(request)) continue;
    const std::optional<SettingValue> value = option.get(request);
    json[option.name] = value ? setting_json(*value) : nullptr;
  }
  return json;
}

}  // namespace copse
