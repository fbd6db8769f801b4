// Sentences that are too long to be parsed as a whole.
#pragma once

#include <vector>

#include "copse/inference/factorization.h"
#include "copse/treebank/sentence.h"

namespace copse {

// The last words of consecutive pieces that have at most `max_words` each. A piece ends after the last
// sentence-final punctuation mark of its second half; without one, at the limit.
std::vector<int> piece_ends(const Sentence& sentence, int max_words);

struct AnalysedTree {
  std::vector<int> heads;  // n + 1 entries; entry 0 is ignored
  double log_probability = 0.0;
  std::vector<double> arc_probabilities;  // of the words' heads, n + 1 entries; empty if nobody asked
  // Of a model with labels, n + 1 entries each; the labels' probabilities are those given the arc.
  std::vector<int> labels;
  std::vector<double> label_probabilities;
};

// Appends the next piece of a sentence to what has come before it: both are lists of trees, the most probable
// first, and so is the result, of which the first `max_trees` are made.
void append_piece(std::vector<AnalysedTree>& before, const std::vector<AnalysedTree>& piece, RootMode root,
                  int max_trees);

}  // namespace copse
