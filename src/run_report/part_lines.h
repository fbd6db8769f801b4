#pragma once

#include <cstdint>

#include "run_report/message_lines.h"
#include "segmentation/segmenter_trainer.h"
#include "sequence/sequence_trainer.h"

namespace copse {

// How the training of a segmenter, tagger or labeller goes, for people.
void print_text(MessageLines& lines, const SegmenterObserver::Data& data);
void print_candidates(MessageLines& lines, const CandidateReport& report);
void print_features(MessageLines& lines, std::int64_t label_weights, std::int64_t transition_weights);
void print_iteration(MessageLines& lines, const IterationReport& report);

}  // namespace copse
