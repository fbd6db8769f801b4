#pragma once

#include <optional>

#include "copse/treebank/sentence.h"
#include "treebank/sentence_check.h"

namespace copse {

// The first thing in FEATS and MISC of a CoNLL-U sentence that those who read these columns would trip over:
// features that are not Name=Value or come twice, empty entries, entries without a name, and probabilities
// (P, PDEPREL) that are none. Readers of files take such columns as they are.
std::optional<Defect> find_attribute_defect(const Sentence& sentence);

}  // namespace copse
