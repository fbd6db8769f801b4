#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "copse/treebank/sentence.h"

namespace copse {

struct Defect {
  size_t row;          // counted from 0 in the order of a file, without the comments
  std::string reason;  // "reason; what to do"
};

// The first thing that keeps a sentence from being a sentence of a CoNLL file, as far as it can only be seen
// with all words at hand: no words, a head or a range or an empty node beyond the last word and, if asked
// for, a cycle.
std::optional<Defect> find_defect(const Sentence& sentence, bool check_cycles);

}  // namespace copse
