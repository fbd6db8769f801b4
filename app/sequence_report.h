#pragma once

#include <string>

#include "copse/tagging/tagger_trainer.h"
#include "status_line.h"

namespace copse {

// Tells the user how the training of a tagger, labeller or segmenter goes. Stops it on signals: keep a
// StopSignals object meanwhile.
class SequenceReport : public TaggerObserver {
 public:
  void on_stage(std::string_view what) override;
  void on_candidates(const CandidateReport& report) override;
  void on_features(std::int64_t label_weights, std::int64_t transition_weights) override;
  void on_iteration(const SequenceIterationReport& report) override;
  bool should_stop() override;

 private:
  StatusLine line_;
};

}  // namespace copse
