#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copse/inference/arc_set.h"
#include "copse/inference/factorization.h"
#include "copse/treebank/sentence.h"

namespace copse {

// A sentence to learn from. Its heads are a tree, projective unless others are learnt, or a part of one
// (kNoHead).
struct TrainingSentence {
  Sentence sentence;
  std::vector<int> heads;
  bool is_complete = true;
  std::vector<Arc> candidates;  // all arcs if empty
};

}  // namespace copse
