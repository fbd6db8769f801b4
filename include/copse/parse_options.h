#pragma once

#include <cstdint>
#include <optional>

#include "copse/parallel/device.h"

namespace copse {

enum class Decoder : std::uint8_t {
  best,  // the most probable tree
  mbr,   // minimum Bayes risk: the tree with the highest expected number of correct arcs
};

enum class TagUse : std::uint8_t {
  when_missing,  // words without UPOS or XPOS get what they lack, if the model has a tagger
  always,        // all words are tagged anew
  never,
};

// What happens to arcs that are less probable than asked for.
enum class LowConfidence : std::uint8_t {
  open,  // the head becomes kNoHead and the label "_"
  mark,  // they stay, and are marked
};

// How sentences are parsed. Every member has an initialiser, so that compilers do not warn of those that
// {.kbest = 3} leaves out.
struct ParseOptions {
  // What computes networks. Models with hashed features work on processors only.
  Device device = Device::cpu;
  Decoder decoder = Decoder::best;
  int kbest = 0;  // above 0: so many of the most probable trees, whatever the decoder
  // The k best are labelled trees: the same tree with other labels is another one. Only for models that say
  // how probable trees and labels are together; for others, making a pipeline throws DataError.
  bool kbest_labels = false;
  bool probabilities = false;  // of arcs, labels and trees
  // Above 0: all heads of a word that are at least so probable are listed.
  double min_alternative = 0.0;
  // Above 0: so many trees are drawn from the distribution, too. Every sentence begins with this seed: what
  // is drawn depends neither on the sentences before nor on threads.
  int samples = 0;
  std::uint64_t sample_seed = 1;

  // Words that have a head, or a label, keep it, and the rest of the tree is the best that goes with them:
  // probabilities are those given these heads and labels. Where no tree has all heads, InfeasibleError is
  // thrown, or with `drop_conflicts` the fewest possible are given up.
  bool keep_known = false;
  bool drop_conflicts = false;

  TagUse tags = TagUse::when_missing;
  // Tags that a network sets get their probabilities, in MISC: PUPOS=0.9821, PXPOS, PFEATS and PLEMMA.
  bool tag_probabilities = false;
  bool labels = true;

  // The least probability of a head, and of head and label together, that counts as certain. Implies
  // probabilities.
  std::optional<double> min_confidence = {};
  LowConfidence low_confidence = LowConfidence::open;

  // An arc is a candidate if its probability under the model's first-order pass is at least this part of that
  // of the word's most probable head; 0 keeps all arcs. Without a value, the model decides.
  std::optional<double> prune_threshold = {};
  // What potentials are divided by; without a value, the model decides.
  std::optional<double> temperature = {};
  // The largest number of parts that a sentence may have: a bound on memory and time. Where there would be
  // more, arcs are pruned until there are not.
  std::int64_t max_parts = 20'000'000;
  // The same for each word of a sentence, where the model decides how arcs are pruned: it keeps the time per
  // word within bounds whatever the text is. Sentences of running text have some hundred parts a word at
  // most; a list of unconnected words would have hundreds of thousands.
  std::int64_t max_parts_per_word = 4'000;
  // Longer sentences are parsed in pieces: a text of more words is hardly one sentence, and time and memory
  // of the first-order pass grow with the cube and the square of the length.
  int max_whole_words = 600;
  // Of a piece, which ends after sentence-final punctuation where possible.
  int max_piece_words = 300;
};

}  // namespace copse
