#include "report_json.h"

namespace copse {
namespace {

Json as_json(const std::vector<ReliabilityBin>& bins) {
  Json json = Json::array();
  for (const ReliabilityBin& bin : bins) {
    json.push_back({{"lower", bin.lower},
                    {"upper", bin.upper},
                    {"arcs", bin.arcs},
                    {"mean_probability", bin.mean_probability},
                    {"right", bin.right}});
  }
  return json;
}

}  // namespace

Json as_json(const Ratio& ratio) {
  return {{"value", ratio.value()}, {"part", ratio.part}, {"whole", ratio.whole}};
}

Json score_json(const Ratio& score, const Significance& significance, Measure measure) {
  Json json = as_json(score);
  json["interval"] = nullptr;
  if (significance.intervals) {
    const Interval& interval = (*significance.intervals)[measure];
    json["interval"] = Json::array({interval.lower, interval.upper});
  }
  return json;
}

Json against_first_json(const Significance& significance) {
  if (!significance.uas_test) return nullptr;
  const auto test_json = [](const std::optional<PairedTest>& test) {
    return test ? Json{{"difference", test->difference}, {"p", test->p}} : Json();
  };
  return {{"uas", test_json(significance.uas_test)}, {"las", test_json(significance.las_test)}};
}

Json as_json(const std::vector<ThresholdPoint>& curve) {
  Json json = Json::array();
  for (const ThresholdPoint& point : curve) {
    json.push_back({{"threshold", point.threshold},
                    {"coverage", as_json(point.coverage)},
                    {"precision", as_json(point.precision)}});
  }
  return json;
}

Json as_json(const Calibration& calibration, const std::vector<ThresholdPoint>& precision_curve) {
  return {{"arcs", calibration.arcs},
          {"mean_probability", calibration.mean_probability},
          {"right", calibration.right},
          {"brier", calibration.brier},
          {"log_loss", calibration.log_loss},
          {"error_equal_width", calibration.error_equal_width},
          {"error_equal_count", calibration.error_equal_count},
          {"chance_equal_width", calibration.chance_equal_width},
          {"chance_equal_count", calibration.chance_equal_count},
          {"equal_width", as_json(calibration.equal_width)},
          {"equal_count", as_json(calibration.equal_count)},
          {"precision_curve", as_json(precision_curve)}};
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace copse
