#pragma once

#include <optional>
#include <string_view>

#include "optimisers/training_stopped.h"
#include "run_report/part_lines.h"
#include "segmentation/segmenter_trainer.h"
#include "status_line.h"
#include "stop_signals.h"
#include "tagging/tagger_trainer.h"
#include "training/train_part.h"

namespace copse {

// Tells the user how the training of a tagger or segmenter alone goes; `Observer` is what the trainer asks
// for. Signals stop it while something is learnt; before and after, they end the program at once.
template <class Observer>
class SequenceReporting : public PartTrainObserver<Observer> {
 public:
  void on_start() override { signals_.emplace(); }
  void on_learnt() override { signals_.reset(); }
  void on_candidates(const CandidateReport& report) override { print_candidates(line_, report); }
  void on_features(std::int64_t label_weights, std::int64_t transition_weights) override {
    print_features(line_, label_weights, transition_weights);
  }
  void on_iteration(const IterationReport& report) override { print_iteration(line_, report); }
  bool should_stop() override { return StopSignals::received() != 0; }

 protected:
  StatusLine line_;

 private:
  std::optional<StopSignals> signals_;
};

class SequenceReport : public SequenceReporting<TaggerObserver> {
 public:
  // In a team, all processes start it. The next iteration can be far.
  void on_stage(std::string_view what) override {
    if (StopSignals::received_by_any() != 0) throw TrainingStopped();
    line_.print(what);
  }
};

class SegmenterReport : public SequenceReporting<SegmenterObserver> {
 public:
  void on_data(const Data& data) override { print_text(line_, data); }
};

}  // namespace copse
