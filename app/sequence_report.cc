#include "sequence_report.h"

#include <fmt/format.h>

#include <cmath>

#include "copse/learning/trainer.h"
#include "number_text.h"
#include "stop_signals.h"

namespace copse {
void SequenceReport::on_stage(std::string_view what) {
  // The next iteration can be far.
  if (should_stop()) throw TrainingStopped();
  line_.print(what);
}

void SequenceReport::on_candidates(const CandidateReport& report) {
  const auto describe = [this](std::string_view data, double candidates, double lost) {
    line_.print(fmt::format("  {}: {:.2f} candidates per position, {} of the right ones are lost", data,
                            candidates, percent_text(lost)));
  };
  describe("training data", report.per_position, report.lost);
  if (std::isfinite(report.dev_per_position)) {
    describe("development data", report.dev_per_position, report.dev_lost);
  }
}

void SequenceReport::on_features(std::int64_t label_weights, std::int64_t transition_weights) {
  std::string text = "  " + counted(label_weights, "weight");
  if (transition_weights > 0) text += fmt::format(", {} of transitions", grouped(transition_weights));
  line_.print(text);
}

void SequenceReport::on_iteration(const SequenceIterationReport& report) {
  std::string text =
      fmt::format("  {:>3}/{}  objective {:.6g}", report.iteration, report.iterations, report.objective);
  if (report.dev_accuracy) text += fmt::format("  right {}", percent_text(*report.dev_accuracy));
  // On a terminal, only the last line stays.
  if (line_.is_live() && !report.is_last)
    line_.show(text);
  else
    line_.print(text);
}

bool SequenceReport::should_stop() { return StopSignals::received() != 0; }

}  // namespace copse
