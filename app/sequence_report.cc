#include "sequence_report.h"

#include <fmt/format.h>

#include <cmath>

#include "number_text.h"

namespace copse {
void print_candidates(StatusLine& line, const CandidateReport& report) {
  const auto describe = [&line](std::string_view data, double candidates, double lost) {
    line.print(fmt::format("  {}: {:.2f} candidates per position, {} of the gold labels are lost", data,
                           candidates, percent_text(lost)));
  };
  describe("training data", report.per_position, report.lost);
  if (std::isfinite(report.dev_per_position)) {
    describe("development data", report.dev_per_position, report.dev_lost);
  }
}

void print_features(StatusLine& line, std::int64_t label_weights, std::int64_t transition_weights) {
  std::string text = "  " + counted(label_weights, "weight");
  if (transition_weights > 0) text += fmt::format(", {} of transitions", grouped(transition_weights));
  line.print(text);
}

void print_iteration(StatusLine& line, const IterationReport& report) {
  std::string text =
      fmt::format("  {:>3}/{}  objective {:.6g}", report.iteration, report.iterations, report.objective);
  if (report.dev_score) text += fmt::format("  right {}", percent_text(*report.dev_score));
  // On a terminal, only the last line stays.
  if (line.is_live() && !report.is_last)
    line.show(text);
  else
    line.print(text);
}

void log_part_iteration(TrainingLog& log, const IterationReport& report) {
  log.write(
      "part_iteration",
      {{"iteration", report.iteration},
       {"objective", std::isfinite(report.objective) ? nlohmann::ordered_json(report.objective) : nullptr},
       {"dev_accuracy", report.dev_score ? nlohmann::ordered_json(*report.dev_score) : nullptr},
       {"seconds", report.seconds}});
}

void SegmenterReport::on_data(const Data& data) {
  print(fmt::format("  {}: a token may begin at {} of them", counted(data.characters, "character"),
                    grouped(data.slots)));
  if (data.lost > 0) print(fmt::format("  {} elsewhere are lost", counted(data.lost, "token")));
  print(fmt::format("  {} known; multiword tokens: {}, {}",
                    counted(static_cast<std::int64_t>(data.words), "word"),
                    counted(static_cast<std::int64_t>(data.split_forms), "form"),
                    counted(static_cast<std::int64_t>(data.split_ends), "rule")));
}

}  // namespace copse
