#pragma once

#include "sequence/sequence_trainer.h"

namespace copse {

// The lists of labels that go with the keys of a source's positions, for keys that come often enough. Where
// no key has a list, the labels are those that were seen where the first key has none. The lists are those of
// the sequences of all processes.
CandidateLabels collect_candidates(const SequenceSource& source, const SequenceTrainingOptions& options,
                                   Team& team);

}  // namespace copse
