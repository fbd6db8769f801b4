#include "analyze_json.h"

#include "report_json.h"

namespace copse {
namespace {

Json as_json(const ArcCounts& counts, bool is_labelled) {
  Json json = {
      {"gold", counts.gold},           {"found", counts.found}, {"recall", counts.recall().value()},
      {"predicted", counts.predicted}, {"right", counts.right}, {"precision", counts.precision().value()}};
  if (is_labelled) {
    json["found_labelled"] = counts.found_labelled;
    json["labelled_recall"] = counts.labelled_recall().value();
    json["right_labelled"] = counts.right_labelled;
    json["labelled_precision"] = counts.labelled_precision().value();
  }
  return json;
}

Json as_json(const Breakdown& breakdown, const Analysis& analysis) {
  Json bins = Json::array();
  for (size_t bin = 0; bin < breakdown.bins.size(); ++bin) {
    Json systems = Json::array();
    for (size_t k = 0; k < analysis.systems.size(); ++k) {
      Json& entry =
          systems.emplace_back(as_json(breakdown.systems[k][bin], analysis.systems[k].scores.labelled));
      if (!breakdown.complete.empty()) entry["complete"] = as_json(breakdown.complete[k][bin]);
    }
    bins.push_back({{"bin", breakdown.bins[bin]}, {"systems", std::move(systems)}});
  }
  return bins;
}

Json label_pairs_json(const SystemAnalysis& system) {
  if (!system.scores.labelled) return nullptr;
  Json pairs = Json::array();
  for (const LabelPair& pair : system.labels) {
    pairs.push_back({{"gold", pair.gold},
                     {"system", pair.system},
                     {"words", pair.words},
                     {"right_heads", pair.right_heads}});
  }
  return pairs;
}

Json as_json(const SystemAnalysis& system) {
  Json json = {{"name", system.name}, {"file", system.file}};
  for (const Measure measure : kMeasures) {
    json[std::string(kMeasureNames[static_cast<size_t>(measure)])] =
        system.scores.has(measure) ? score_json(system.scores[measure], system.significance, measure)
                                   : Json();
  }
  json["against_first"] = against_first_json(system.significance);
  json["calibration"] = system.calibration ? as_json(*system.calibration, system.precision_curve) : Json();
  json["coverage_curve"] = system.calibration ? as_json(system.coverage_curve) : Json();
  json["label_pairs"] = label_pairs_json(system);
  return json;
}

Json as_json(const ComparedSentence& sentence) {
  const auto text = [](std::optional<std::string_view> comment) { return comment ? Json(*comment) : Json(); };
  Json json = {{"number", sentence.number},
               {"sent_id", text(sentence.gold.sent_id())},
               {"text", text(sentence.gold.text())},
               {"words", sentence.gold.size()},
               {"scored_words", sentence.scored_words},
               {"systems", Json::array()}};
  for (const ComparedSentence::System& system : sentence.systems) {
    json["systems"].push_back({{"wrong_heads", system.wrong_heads}, {"wrong_labels", system.wrong_labels}});
  }
  return json;
}

}  // namespace

std::string json_report(const Analysis& analysis) {
  const Counts& counts = analysis.systems.front().scores.total;
  const EvaluationOptions& options = analysis.options.evaluation;
  Json json = {{"gold", analysis.gold_file},
               {"punctuation", kPunctuationNames[static_cast<size_t>(options.punctuation)]},
               {"subtypes", options.keep_subtypes ? "keep" : "ignore"},
               {"bins", analysis.options.bins},
               {"bootstrap", analysis.options.significance.bootstrap},
               {"trials", analysis.options.significance.trials},
               {"seed", analysis.options.significance.seed},
               {"sentences", counts.sentences},
               {"scored_sentences", counts.scored_sentences},
               {"words", counts.words},
               {"scored_words", counts.scored_words},
               {"excluded_words", counts.excluded_words()},
               {"words_without_gold_head", counts.words_without_gold_head},
               {"gold_roots", counts.roots},
               {"systems", Json::array()}};
  for (const SystemAnalysis& system : analysis.systems) json["systems"].push_back(as_json(system));
  for (const Breakdown& breakdown : analysis.breakdowns) {
    json["breakdowns"][std::string(kPropertyNames[static_cast<size_t>(breakdown.property)])] =
        as_json(breakdown, analysis);
  }
  json["agreement"] = {{"words", analysis.agreement.words},
                       {"all_right", analysis.agreement.all_right},
                       {"all_wrong", analysis.agreement.all_wrong},
                       {"only_right", analysis.agreement.only_right}};
  json["worst_sentences"] = Json::array();
  for (const ComparedSentence& sentence : analysis.sentences)
    json["worst_sentences"].push_back(as_json(sentence));
  return json_text(json);
}

}  // namespace copse
