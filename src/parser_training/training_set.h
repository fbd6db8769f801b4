#pragma once

#include <cstdint>
#include <span>
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
  // Of all that the processes of a team were given, in the order of the files. Training sentences of a
  // process are in the order of these.
  std::uint64_t number = 0;
};

inline std::vector<std::uint64_t> numbers_of(std::span<const TrainingSentence> sentences) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(sentences.size());
  for (const TrainingSentence& sentence : sentences) numbers.push_back(sentence.number);
  return numbers;
}

}  // namespace copse
