#include <string>

#include "eval_report.h"
#include "report_json.h"

namespace copse {
namespace {

Json as_json(const EvaluatedSystem& system) {
  Json json = {{"file", system.file}};
  for (const Measure measure : kMeasures) {
    Json& entry = json[std::string(kMeasureNames[static_cast<size_t>(measure)])];
    if (!system.scores.has(measure)) continue;
    entry = score_json(system.scores[measure], system.significance, measure);
  }
  json["against_first"] = against_first_json(system.significance);
  json["calibration"] = system.calibration ? as_json(*system.calibration, system.precision_curve) : Json();
  return json;
}

}  // namespace

std::string json_report(const EvaluationReport& report) {
  const Counts& counts = report.systems.front().scores.total;
  Json json = {{"gold", report.gold_file},
               {"punctuation", report.punctuation},
               {"subtypes", report.subtypes},
               {"bootstrap", report.significance.bootstrap},
               {"trials", report.significance.trials},
               {"seed", report.significance.seed},
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
