#include "eval_aligned.h"

#include <fmt/format.h>

#include <cctype>

#include "render/text_width.h"
#include "report_json.h"

namespace copse {
namespace {

std::string lower_case_name(size_t measure) {
  std::string name(kAlignedMeasureNames[measure]);
  for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

std::string score_row(std::string_view name, const AlignedScore& score) {
  std::string row = fmt::format("{:<12}{:>9.2f}{:>9.2f}{:>9.2f}", name, 100.0 * score.precision(),
                                100.0 * score.recall(), 100.0 * score.f1());
  if (score.aligned) row += fmt::format("{:>9.2f}", 100.0 * *score.aligned_accuracy());
  return row + "\n";
}

Json as_json(const AlignedScore& score) {
  Json json = {{"precision", score.precision()}, {"recall", score.recall()}, {"f1", score.f1()}};
  json["aligned_accuracy"] = score.aligned ? Json(*score.aligned_accuracy()) : Json();
  json["correct"] = score.correct;
  json["gold"] = score.gold;
  json["system"] = score.system;
  json["aligned"] = score.aligned ? Json(*score.aligned) : Json();
  return json;
}

}  // namespace

std::string text_report(const AlignedReport& report) {
  std::string text = fmt::format("gold  {}\n", printable(report.gold_file));
  for (size_t k = 0; k < report.systems.size(); ++k) {
    text += fmt::format("{:<6}{}\n", fmt::format("[{}]", k + 1), printable(report.systems[k].file));
  }
  for (size_t k = 0; k < report.systems.size(); ++k) {
    text += fmt::format("\n{:<12}precision   recall       F1  aligned\n", fmt::format("% of [{}]", k + 1));
    const std::span<const AlignedScore> scores = report.systems[k].scores.all();
    for (size_t m = 0; m < scores.size(); ++m) text += score_row(kAlignedMeasureNames[m], scores[m]);
  }
  return text + "\naligned: share of the aligned words\n";
}

std::string json_report(const AlignedReport& report) {
  Json json = {{"gold", report.gold_file}, {"aligned", true}, {"systems", Json::array()}};
  for (const AlignedReport::System& system : report.systems) {
    Json& entry = json["systems"].emplace_back(Json{{"file", system.file}});
    const std::span<const AlignedScore> scores = system.scores.all();
    for (size_t m = 0; m < scores.size(); ++m) entry[lower_case_name(m)] = as_json(scores[m]);
  }
  return json_text(json);
}

}  // namespace copse
