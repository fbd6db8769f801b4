#pragma once

#include <span>
#include <vector>

#include "tagging/tagger_trainer.h"

namespace copse {

// Copies of sentences with the tags that a tagger gives them which has not seen them: the sentences are dealt
// out into folds, and those of each fold are tagged by a tagger that has learnt from all others. A parser
// that learns from such tags knows how far it can trust those that it will be given (jackknifing). In a team,
// each process has its own share of the sentences, dealt out in turn, and gets these back. Throws DataError
// when there are fewer sentences than folds.
std::vector<Sentence> jackknife_tags(std::span<const Sentence> sentences, int folds,
                                     const TaggerTrainingOptions& options, TaskPool& pool,
                                     TaggerObserver& observer);

}  // namespace copse
