#pragma once

#include <span>
#include <vector>

#include "parser_training/trainer.h"
#include "parser_training/training_set.h"

namespace copse {

// Processes of a team have their own shares of the sentences, dealt out in turn; reports are sums over all of
// them.

// The sentences to learn from, with trees that the options allow: see PreparationReport for what is left out
// or changed.
std::vector<TrainingSentence> prepare_training_set(std::span<const Sentence> sentences,
                                                   const TrainingOptions& options, PreparationReport& report,
                                                   Team& team = Team::alone());

// The sentences to choose the best iteration by: those with heads that are not too long to be learnt from.
std::vector<TrainingSentence> prepare_development_set(std::span<const Sentence> sentences,
                                                      const TrainingOptions& options,
                                                      DevelopmentReport& report, Team& team = Team::alone());

// When candidates are known: leaves out the sentences with more parts than TrainingOptions::max_parts.
void remove_large_sentences(std::vector<TrainingSentence>& sentences, const TrainingOptions& options,
                            DevelopmentReport& report, Team& team = Team::alone());

}  // namespace copse
