#include "run_report/setting_json.h"

#include <variant>

#include "training/pretrain_options.h"
#include "training/train_options.h"

namespace copse {
namespace {

template <class Request>
nlohmann::ordered_json values_of(std::span<const RequestOption<Request>> options, const Request& request) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const RequestOption<Request>& option : options) {
    if (!option.is_about(request)) continue;
    const std::optional<SettingValue> value = option.get(request);
    json[option.name] = value ? setting_json(*value) : nullptr;
  }
  return json;
}

}  // namespace

nlohmann::ordered_json setting_json(const SettingValue& value) {
  return std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value);
}

nlohmann::ordered_json settings_json(const ModelSettings& settings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : settings) json[name] = setting_json(value);
  return json;
}

nlohmann::ordered_json request_json(const TrainRequest& request) {
  return values_of(train_options(), request);
}

nlohmann::ordered_json request_json(const PretrainRequest& request) {
  return values_of(pretrain_options(), request);
}

}  // namespace copse
