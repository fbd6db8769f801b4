#pragma once

#include <nlohmann/json.hpp>

#include "pipeline/model_settings.h"
#include "training/pretrain_request.h"
#include "training/train_request.h"

namespace copse {

nlohmann::ordered_json setting_json(const SettingValue& value);
// An object, by names.
nlohmann::ordered_json settings_json(const ModelSettings& settings);
// Of all options that are about the model that is asked for; null where nothing has been decided.
nlohmann::ordered_json request_json(const TrainRequest& request);
nlohmann::ordered_json request_json(const PretrainRequest& request);

}  // namespace copse
