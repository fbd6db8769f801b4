#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "evaluation/calibration.h"
#include "evaluation/evaluator.h"

namespace copse {

using Json = nlohmann::ordered_json;  // writes what is not a number as null

Json as_json(const Ratio& ratio);
Json as_json(const std::vector<ThresholdPoint>& curve);

// With the curve at kThresholds as `precision_curve`.
Json as_json(const Calibration& calibration, const std::vector<ThresholdPoint>& precision_curve);

// The text of a report. Names of files need not be UTF-8.
std::string json_text(const Json& json);

}  // namespace copse
