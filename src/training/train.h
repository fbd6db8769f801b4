#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "evaluation/evaluator.h"
#include "parallel/team.h"
#include "training/train_observer.h"
#include "training/train_request.h"

namespace copse {

// What has come out.
struct TrainResult {
  std::int64_t bytes = 0;   // of the file; 0 for devices
  std::size_t weights = 0;  // of the parser
  bool has_labels = false;
  // The development data as the model parses them in use: with tags as it will get them, and weights as they
  // are stored. With probabilities if there is to be a report.
  std::optional<Evaluator> development;
};

// Learns a model from files and writes it: segmenter, tagger, parser and labeller, as the request says. All
// processes of the team do so together, of which the first one writes. Checkpoints lie beside the model until
// it is there. Prints nothing: the observer is told everything.
//
// Throws UsageError before anything is done, DataError, and TrainingStopped where the observer stops the run.
TrainResult train(const TrainRequest& request, Team& team, TrainObserver& observer);

// Whether there are checkpoints that a stopped run can go on from. Removes their folder if there are none.
bool can_resume(const TrainRequest& request);

}  // namespace copse
