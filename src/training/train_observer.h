#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "parser_training/trainer.h"
#include "segmentation/segmenter_trainer.h"
#include "tagging/tagger_trainer.h"
#include "training/crossing_arcs.h"
#include "training/train_request.h"

namespace copse {

// How well the tags of the data are predicted that the parser learns from.
struct TaggedReport {
  struct Accuracy {
    TagAttribute attribute;
    double train;  // by taggers that know the other folds
    double dev;    // NaN without development data
  };
  int folds = 0;
  std::vector<Accuracy> accuracies;
};

struct TrainResult;

// Hears how the training of a model goes, of all its components one after the other. All calls come from the
// thread that trains. In a team, every process has an observer; figures are about the data of all processes.
// What an observer throws ends the training.
//
// The calls of TrainingObserver are about the parser, but for on_stage(), which is about the run, and
// should_stop(), which is asked wherever the run can be stopped.
class TrainObserver : public TrainingObserver {
 public:
  // The data have been read, and the work begins. The request says what holds for it.
  virtual void on_start(const TrainRequest& /*request*/) {}

  // Of the segmenter, the tagger and the labeller.
  virtual void on_text(const SegmenterObserver::Data&) {}
  virtual void on_candidates(const CandidateReport&) {}
  virtual void on_part_features(std::int64_t /*label_weights*/, std::int64_t /*transition_weights*/) {}
  virtual void on_part_iteration(const IterationReport&) {}
  virtual void on_tagged(const TaggedReport&) {}
  virtual void on_labeller(std::size_t /*labels*/) {}

  // Of arcs that cross.
  virtual void on_trial(CrossingArcs /*way*/) {}
  virtual void on_trial_end(const CrossingArcsTrial& /*trial*/, bool /*has_labels*/) {}
  virtual void on_crossing_arcs(const CrossingArcsChoice&) {}
  virtual void on_lifted(std::int64_t /*trees*/, std::int64_t /*arcs*/) {}

  // All is learnt: from here on, nothing can be stopped and resumed.
  virtual void on_learnt() {}
  // The model parses the development data.
  virtual void on_parsing_development() {}
  // The model is in its file.
  virtual void on_end(const TrainResult&) {}
};

}  // namespace copse
