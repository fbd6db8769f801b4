#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "run_report/message_lines.h"
#include "run_report/team_report.h"
#include "run_report/training_log.h"
#include "training/train.h"

namespace copse {

// Tells people in lines, and programs in the log beside the model, how a training goes. In a team, all
// processes have one.
class TrainReport : public TrainObserver {
 public:
  // The time begins. Borrows both.
  TrainReport(Team& team, MessageLines& lines);

  // What there is to say in the end.
  const std::string& summary() const { return summary_; }

  // The run has ended otherwise than it should.
  void on_stopped();
  void on_error(std::string_view message);
  bool has_log() const { return log_.is_open(); }

  void on_start(const TrainRequest& request) override;
  void on_stage(std::string_view what) override;
  void on_prepared(const PreparationReport& report) override;
  void on_pruned(const PruningReport& report) override;
  void on_development(const DevelopmentReport& report) override;
  void on_features(const FeatureReport& report) override;
  void on_resumed(int iterations) override;
  void on_iteration(const IterationReport& report) override;
  void on_text(const SegmenterObserver::Data& data) override;
  void on_candidates(const CandidateReport& report) override;
  void on_part_features(std::int64_t label_weights, std::int64_t transition_weights) override;
  void on_part_iteration(const IterationReport& report) override;
  void on_tagged(const TaggedReport& report) override;
  void on_labeller(std::size_t labels) override;
  void on_trial(CrossingArcs way) override;
  void on_trial_end(const CrossingArcsTrial& trial, bool has_labels) override;
  void on_crossing_arcs(const CrossingArcsChoice& choice) override;
  void on_lifted(std::int64_t trees, std::int64_t arcs) override;
  void on_parsing_development() override;
  void on_end(const TrainResult& result) override;
  bool should_stop() final { return stop_signal() != 0; }

 protected:
  // Hears what has been written to the log.
  virtual void on_event(const nlohmann::ordered_json& /*record*/) {}
  // Why the run should stop at the next good place: a signal, or 0.
  virtual int stop_signal() { return 0; }

 private:
  void log(std::string_view event, const nlohmann::ordered_json& details);
  // If no learner converges before, and development scores do not rise any more where that ends the run.
  std::string time_left(const IterationReport& report) const;

  Team& team_;
  MessageLines& lines_;
  TrainingLog log_;
  TrafficMeter traffic_;
  std::string model_;
  bool predicts_tags_ = false;
  bool wants_to_resume_ = false;
  int last_iteration_ = 0;
  int first_iteration_ = 0;  // of this program, in the run that goes on
  double iterations_start_ = 0.0;
  std::string summary_;
};

// train(), with a report: also the page that the request may ask for, as far as the run has come.
TrainResult train_with_report(const TrainRequest& request, Team& team, TrainReport& report);

}  // namespace copse
