#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

// A tree over the words 1..n of a sentence, and how probable it is. Vectors have n + 1 entries, of which
// entry 0 means nothing; what was not asked for is empty.
struct ParsedTree {
  std::vector<int> heads;           // 0 is the root; kNoHead where nothing is certain enough
  std::vector<std::string> labels;  // "_" for none; empty if the model has no labels
  // Of the tree among all trees, with its labels if the model scores trees and labels together, or if
  // labelled trees were asked for (ParseOptions::kbest_labels); in nats.
  double log_probability = 0.0;
  std::vector<double> head_probabilities;   // of each word's head, all other arcs summed out
  std::vector<double> label_probabilities;  // of each word's label, given the arc
  // Words that stay as they are although their head, or head and label together, are less probable than
  // ParseOptions::min_confidence (LowConfidence::mark).
  std::vector<bool> is_uncertain;
};

struct HeadAlternative {
  int head = 0;
  double probability = 0.0;
  // The most probable label of this arc, and its probability given the arc. Empty if labels are not wanted,
  // and for models that label trees only as a whole.
  std::string label = {};
  double label_probability = 0.0;
};

// What a model says about a sentence. Probabilities are exact, up to the arcs that were pruned; they come
// with the full precision of a double.
struct Parse {
  // The best one first; several only if the k best were asked for. None for a sentence without words.
  std::vector<ParsedTree> trees;
  bool is_kbest = false;  // whether they were
  // Of the distribution over trees, without their labels; in nats. 0 unless probabilities were asked for.
  double entropy = 0.0;
  // By word: every head that is probable enough (ParseOptions::min_alternative), the most probable one first.
  std::vector<std::vector<HeadAlternative>> alternatives;
  // Trees that were drawn from the distribution (ParseOptions::samples), each with its best labels.
  std::vector<ParsedTree> samples;

  // Words that are too many for one tree are parsed in so many pieces.
  int pieces = 1;
  // Whether more arcs were pruned than asked for, so that memory suffices.
  bool had_to_prune = false;
  // Words without the tags that the model has learnt from, although nobody could supply them.
  int untagged_words = 0;
  // Words whose known head does not go with the others and was given up (ParseOptions::drop_conflicts).
  std::vector<int> dropped_heads;
  // Words whose known label stays, but says nothing about the others, because the model never has it there,
  // or not together with the other heads and labels that are known.
  std::vector<int> ignored_labels;

  const ParsedTree& best() const { return trees.front(); }
};

struct ParsedSentence {
  Sentence sentence;
  Parse parse;
};

// Writes one of the trees of a parse into the columns of its sentence: HEAD and DEPREL, and what there is of
// the following.
//   P=0.9321, PDEPREL  in MISC: the probability of the word's arc, and of its label given the arc
//   Doubtful=Yes       in MISC: words that are uncertain
//   tree_log_probability, tree_entropy                   comments, with probabilities
//   kbest_rank, tree_probability, sent_id with -k2, ...  comments, with several trees
// Only CoNLL-U has room for the additions, so with them other formats become CoNLL-U. What an earlier parse
// has left of them is removed; so are DEPS if the tree is not the one that they went with. All else is kept.
// Trees of one parse may be written into the same sentence one after the other.
void write_columns(const Parse& parse, std::size_t rank, Sentence& sentence);

}  // namespace copse
