#include <string>

#include "eval_report.h"
#include "report_json.h"

namespace copse {
namespace {

Json as_json(const Interval& interval) { return Json::array({interval.lower, interval.upper}); }

Json as_json(const std::optional<PairedTest>& test) {
  if (!test) return nullptr;
  return {{"difference", test->difference}, {"p", test->p}};
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
  json["calibration"] = system.calibration ? as_json(*system.calibration, system.precision_curve) : Json();
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
  return json_text(json);
}

}  // namespace copse
