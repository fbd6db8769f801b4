#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "copse/treebank/conll.h"
#include "evaluation/aligned_scores.h"
#include "parallel/team.h"
#include "segmentation/segmenter_trainer.h"
#include "tagging/tagger_trainer.h"
#include "tagging/treebank_tagger.h"

namespace copse {

// A tagger or segmenter alone, which a file of its own is to have.
struct PartRequest {
  std::string model;
  std::vector<std::string> train;
  std::vector<std::string> dev;
  int threads = 1;
  int max_words = ConllReadOptions().max_words;
};

// Also hears when the work begins, and when all is learnt. `Base` is what the trainer asks for.
template <class Base>
class PartTrainObserver : public Base {
 public:
  virtual void on_start() {}
  virtual void on_learnt() {}
};

struct TaggerResult {
  std::int64_t bytes = 0;  // of the file; 0 for devices
  std::vector<TagAttribute> attributes;
  std::optional<TaggingEvaluator> development;
};

struct SegmenterResult {
  std::int64_t bytes = 0;
  std::optional<AlignedScores> development;  // in the process that leads
};

// Learn from files and write the model. All processes of the team do so together, each with its own share of
// the sentences, and the first one writes. They print nothing, and throw UsageError, DataError, and
// TrainingStopped where the observer stops the training; then nothing is written.
TaggerResult train(const PartRequest& request, const TaggerTrainingOptions& options, Team& team,
                   PartTrainObserver<TaggerObserver>& observer);
SegmenterResult train(const PartRequest& request, const SegmenterTrainingOptions& options, Team& team,
                      PartTrainObserver<SegmenterObserver>& observer);

}  // namespace copse
