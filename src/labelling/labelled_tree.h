#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/treebank/sentence.h"
#include "features/morphology.h"
#include "sequence/sequence_observations.h"
#include "tagging/word_features.h"

namespace copse {

// A tree as the features of its labels see it. Used again without allocating.
class LabelledTree {
 public:
  // `heads` has n + 1 entries. Words without a head are modifiers of none. A head that is no word of the
  // sentence is a DataError. FEATS is read as a whole, and feature by feature if asked for.
  void assign(const Sentence& sentence, std::span<const int> heads, WordReader& reader,
              bool reads_single_feats);

  int words() const { return static_cast<int>(words_.size()) - 1; }
  // The modifiers of a head, from left to right; 0 is the root.
  std::span<const int> modifiers(int head) const {
    const auto at = static_cast<std::size_t>(head);
    return std::span(modifiers_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }

  // Overwrites the observations by those of the modifiers of a head.
  void observe(int head, SequenceObservations& observations) const;

 private:
  // Hashes of what is known about a word.
  struct Word {
    std::uint64_t lower;
    std::uint64_t lemma;
    std::uint64_t upos;
    std::uint64_t xpos;
    std::uint64_t feats;
    std::uint64_t suffix;
    bool is_punctuation;
  };
  class Observer;

  const Word& word(int position) const {
    return position < 0 || position > words() ? kNoWord : words_[static_cast<std::size_t>(position)];
  }
  void sort_modifiers(std::span<const int> heads);

  static const Word kNoWord;

  bool reads_single_feats_ = false;
  SingleFeats feats_;
  std::vector<Word> words_;     // by position; 0 is the root
  std::vector<int> heads_;      // by position; the root's is -1
  std::vector<int> modifiers_;  // of the root, of the first word, ...
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> next_;
};

}  // namespace copse
