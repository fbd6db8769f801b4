#pragma once

#include "copse/sequence/sequence_trainer.h"

namespace copse {

// The lists of labels that go with the keys of a source's positions: keys that come at least `fewest` times
// get one. Where no key has a list, the labels are those that were seen with infrequent keys.
CandidateLists collect_candidates(const SequenceSource& source, int labels, int fewest);

}  // namespace copse
