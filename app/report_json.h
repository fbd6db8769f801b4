#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "evaluation/calibration.h"
#include "evaluation/evaluator.h"
#include "evaluation/significance.h"

namespace copse {

using Json = nlohmann::ordered_json;  // writes what is not a number as null

Json as_json(const Ratio& ratio);
Json as_json(const std::vector<ThresholdPoint>& curve);

// A score with its interval, null if there is none.
Json score_json(const Ratio& score, const Significance& significance, Measure measure);
// The tests against the first system; null if there are none.
Json against_first_json(const Significance& significance);

// With the curve at kThresholds as `precision_curve`.
Json as_json(const Calibration& calibration, const std::vector<ThresholdPoint>& precision_curve);

// The text of a report. Names of files need not be UTF-8.
std::string json_text(const Json& json);

}  // namespace copse
