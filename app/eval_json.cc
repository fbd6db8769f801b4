#include <nlohmann/json.hpp>
#include <string>

#include "eval_report.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;  // writes what is not a number as null

Json as_json(const Interval& interval) { return Json::array({interval.lower, interval.upper}); }

Json as_json(const Ratio& ratio) {
  return {{"value", ratio.value()}, {"part", ratio.part}, {"whole", ratio.whole}};
}

Json as_json(const std::optional<PairedTest>& test) {
  if (!test) return nullptr;
  return {{"difference", test->difference}, {"p", test->p}};
}

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

Json as_json(const std::vector<ThresholdPoint>& curve) {
  Json json = Json::array();
  for (const ThresholdPoint& point : curve) {
    json.push_back({{"threshold", point.threshold},
                    {"coverage", as_json(point.coverage)},
                    {"precision", as_json(point.precision)}});
  }
  return json;
}

Json calibration_json(const EvaluatedSystem& system) {
  if (!system.calibration) return nullptr;
  const Calibration& found = *system.calibration;
  return {{"arcs", found.arcs},
          {"mean_probability", found.mean_probability},
          {"right", found.right},
          {"brier", found.brier},
          {"log_loss", found.log_loss},
          {"error_equal_width", found.error_equal_width},
          {"error_equal_count", found.error_equal_count},
          {"equal_width", as_json(found.equal_width)},
          {"equal_count", as_json(found.equal_count)},
          {"precision_curve", as_json(system.precision_curve)}};
}

Json as_json(const EvaluatedSystem& system) {
  Json json = {{"file", system.file}};
  for (const Measure measure : kMeasures) {
    Json& entry = json[std::string(kMeasureNames[static_cast<size_t>(measure)])];
    if (!system.scores.has(measure)) continue;
    entry = as_json(system.scores[measure]);
    entry["interval"] = system.intervals ? as_json((*system.intervals)[measure]) : Json();
  }
  json["against_first"] = nullptr;
  if (system.uas_test) {
    json["against_first"] = {{"uas", as_json(system.uas_test)}, {"las", as_json(system.las_test)}};
  }
  json["calibration"] = calibration_json(system);
  return json;
}

}  // namespace

std::string json_report(const EvaluationReport& report) {
  const Counts& counts = report.systems.front().scores.total;
  Json json = {{"gold", report.gold_file},
               {"punctuation", report.punctuation},
               {"subtypes", report.subtypes},
               {"bootstrap", report.bootstrap},
               {"trials", report.trials},
               {"seed", report.seed},
               {"bins", report.bins},
               {"sentences", counts.sentences},
               {"scored_sentences", counts.scored_sentences},
               {"words", counts.words},
               {"scored_words", counts.scored_words},
               {"excluded_words", counts.excluded_words()},
               {"words_without_gold_head", counts.words_without_gold_head},
               {"gold_roots", counts.roots},
               {"systems", Json::array()}};
  for (const EvaluatedSystem& system : report.systems) json["systems"].push_back(as_json(system));
  // Names of files need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace copse
