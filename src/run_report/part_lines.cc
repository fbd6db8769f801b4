#include "run_report/part_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "render/number_text.h"

namespace copse {

void print_text(MessageLines& lines, const SegmenterObserver::Data& data) {
  lines.print(fmt::format("  {}: a token may begin at {} of them", counted(data.characters, "character"),
                          grouped(data.slots)));
  if (data.lost > 0) lines.print(fmt::format("  {} elsewhere are lost", counted(data.lost, "token")));
  lines.print(fmt::format("  {} known; multiword tokens: {}, {}",
                          counted(static_cast<std::int64_t>(data.words), "word"),
                          counted(static_cast<std::int64_t>(data.split_forms), "form"),
                          counted(static_cast<std::int64_t>(data.split_ends), "rule")));
}

void print_candidates(MessageLines& lines, const CandidateReport& report) {
  const auto describe = [&lines](std::string_view data, double candidates, double lost) {
    lines.print(fmt::format("  {}: {:.2f} candidates per position, {} of the gold labels are lost", data,
                            candidates, percent_text(lost)));
  };
  describe("training data", report.per_position, report.lost);
  if (std::isfinite(report.dev_per_position)) {
    describe("development data", report.dev_per_position, report.dev_lost);
  }
}

void print_features(MessageLines& lines, std::int64_t label_weights, std::int64_t transition_weights) {
  std::string text = "  " + counted(label_weights, "weight");
  if (transition_weights > 0) text += fmt::format(", {} of transitions", grouped(transition_weights));
  lines.print(text);
}

void print_iteration(MessageLines& lines, const IterationReport& report) {
  std::string text =
      fmt::format("  {:>3}/{}  objective {:.6g}", report.iteration, report.iterations, report.objective);
  if (report.dev_score) text += fmt::format("  right {}", percent_text(*report.dev_score));
  // On a terminal, only the last line stays.
  if (lines.is_live() && !report.is_last)
    lines.show(text);
  else
    lines.print(text);
}

}  // namespace copse
