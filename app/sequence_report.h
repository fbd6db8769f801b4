#pragma once

#include <string>

#include "optimisation/training_stopped.h"
#include "segmentation/segmenter_trainer.h"
#include "status_line.h"
#include "stop_signals.h"
#include "tagging/tagger_trainer.h"

namespace copse {

void print_candidates(StatusLine& line, const CandidateReport& report);
void print_features(StatusLine& line, std::int64_t label_weights, std::int64_t transition_weights);
void print_iteration(StatusLine& line, const IterationReport& report);

// Tells the user how the training of a tagger, labeller or segmenter goes; `Observer` is what the trainer
// asks for. Stops it on signals: keep a StopSignals object meanwhile.
template <class Observer>
class SequenceReporting : public Observer {
 public:
  void on_candidates(const CandidateReport& report) override { print_candidates(line_, report); }
  void on_features(std::int64_t label_weights, std::int64_t transition_weights) override {
    print_features(line_, label_weights, transition_weights);
  }
  void on_iteration(const IterationReport& report) override { print_iteration(line_, report); }
  bool should_stop() override { return StopSignals::received() != 0; }

 protected:
  void print(std::string_view what) {
    // The next iteration can be far.
    if (this->should_stop()) throw TrainingStopped();
    line_.print(what);
  }

 private:
  StatusLine line_;
};

class SequenceReport : public SequenceReporting<TaggerObserver> {
 public:
  void on_stage(std::string_view what) override { print(what); }
};

class SegmenterReport : public SequenceReporting<SegmenterObserver> {
 public:
  void on_stage(std::string_view what) { print(what); }
  void on_data(const Data& data) override;
};

}  // namespace copse
