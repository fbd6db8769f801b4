#pragma once

#include <string>

#include "optimisers/training_stopped.h"
#include "segmentation/segmenter_trainer.h"
#include "status_line.h"
#include "stop_signals.h"
#include "tagging/tagger_trainer.h"
#include "training_report.h"

namespace copse {

void print_candidates(StatusLine& line, const CandidateReport& report);
void print_features(StatusLine& line, std::int64_t label_weights, std::int64_t transition_weights);
void print_iteration(StatusLine& line, const IterationReport& report);
// An iteration of a part of a run, whose own iterations are those of the parser.
void log_part_iteration(TrainingLog& log, const IterationReport& report);

// Tells the user how the training of a tagger, labeller or segmenter goes; `Observer` is what the trainer
// asks for. Stops it on signals: keep a StopSignals object meanwhile.
template <class Observer>
class SequenceReporting : public Observer {
 public:
  // With the log of a run that this is a part of.
  explicit SequenceReporting(TrainingLog* log = nullptr) : log_(log) {}

  void on_candidates(const CandidateReport& report) override { print_candidates(line_, report); }
  void on_features(std::int64_t label_weights, std::int64_t transition_weights) override {
    print_features(line_, label_weights, transition_weights);
  }
  void on_iteration(const IterationReport& report) override {
    if (log_ != nullptr) log_part_iteration(*log_, report);
    print_iteration(line_, report);
  }
  bool should_stop() override { return StopSignals::received() != 0; }

 protected:
  void print(std::string_view what) { line_.print(what); }
  // In a team, all processes start it.
  void start_stage(std::string_view what) {
    // The next iteration can be far.
    if (StopSignals::received_by_any() != 0) throw TrainingStopped();
    print(what);
    if (log_ != nullptr) log_->write("stage", {{"what", what}});
  }

 private:
  TrainingLog* log_;
  StatusLine line_;
};

class SequenceReport : public SequenceReporting<TaggerObserver> {
 public:
  using SequenceReporting::SequenceReporting;
  void on_stage(std::string_view what) override { start_stage(what); }
};

class SegmenterReport : public SequenceReporting<SegmenterObserver> {
 public:
  using SequenceReporting::SequenceReporting;
  void on_stage(std::string_view what) { start_stage(what); }
  void on_data(const Data& data) override;
};

}  // namespace copse
