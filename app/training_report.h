#pragma once

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "parser_training/trainer.h"
#include "status_line.h"
#include "team_report.h"

namespace copse {

// A file with one JSON object per line and event. Each line is there as soon as the event has happened, so
// that a run that was killed leaves its story. In a team, the process that leads writes it.
class TrainingLog {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts a new file, or goes on in an old one. DataError if it cannot be written.
  TrainingLog(const std::string& path, bool goes_on, Clock::time_point start);

  // Adds the seconds since the start.
  void write(std::string_view event, const nlohmann::ordered_json& details);
  double seconds() const;

 private:
  std::string path_;
  std::ofstream file_;
  Clock::time_point start_;
};

// Tells people on the standard error and programs in the log how training goes. Stops it on signals: keep a
// StopSignals object meanwhile. In a team, all processes have one, and on_stage() is collective.
class TrainingReport : public TrainingObserver {
 public:
  TrainingReport(TrainingLog& log, bool wants_to_resume) : log_(log), wants_to_resume_(wants_to_resume) {}

  void on_stage(std::string_view what) override;
  void on_prepared(const PreparationReport& report) override;
  void on_pruned(const PruningReport& report) override;
  void on_development(const DevelopmentReport& report) override;
  void on_features(const FeatureReport& report) override;
  void on_resumed(int iterations) override;
  void on_iteration(const IterationReport& report) override;
  bool should_stop() override;

  // Of the run that was heard of last; 0 if none has been finished.
  int last_iteration() const { return last_iteration_; }

 private:
  // If no learner converges before, and development scores do not rise any more where that ends the run.
  std::string time_left(const IterationReport& report) const;

  TrainingLog& log_;
  bool wants_to_resume_;
  StatusLine line_;
  TrafficMeter traffic_;
  int last_iteration_ = 0;
  int first_iteration_ = 0;  // of this program, in the run that goes on
  double iterations_start_ = 0.0;
};

}  // namespace copse
