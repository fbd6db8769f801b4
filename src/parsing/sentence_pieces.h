// Sentences that are too long to be parsed as a whole.
#pragma once

#include <vector>

#include "copse/inference/factorization.h"
#include "copse/parse.h"
#include "copse/parse_options.h"
#include "copse/treebank/sentence.h"

namespace copse {

// The last words of consecutive pieces that have at most `max_words` each. A piece ends after the last
// sentence-final punctuation mark of its second half; without one, at the limit.
std::vector<int> piece_ends(const Sentence& sentence, int max_words);
// The same as the options want it: of a sentence that is not too long, the last word alone.
std::vector<int> piece_ends(const Sentence& sentence, const ParseOptions& options);

// What the root of a later piece stands for: with several roots the root, with a single one the root word of
// what has come before. Whatever lies between two such words descends from one of them, so the tree stays
// projective.
int attachment_of_next_piece(const std::vector<int>& heads, RootMode root);

// Appends the next piece of a sentence to what has come before it: both are lists of trees, the most probable
// first, and so is the result, of which the first `max_trees` are made.
void append_piece(std::vector<ParsedTree>& before, const std::vector<ParsedTree>& piece, RootMode root,
                  int max_trees);
// The same for one tree.
void append_piece(ParsedTree& before, const ParsedTree& piece, RootMode root);

}  // namespace copse
