#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "sequence/sequence_observations.h"

namespace copse {

// What features see of a word by itself, as hashes. 0 stands for nothing.
struct WordTraits {
  static constexpr int kAffixes = 5;

  std::uint64_t form = 0;
  std::uint64_t lower = 0;  // of the form in lower case
  std::uint64_t shape = 0;
  std::uint64_t kinds = 0;  // which kinds of characters there are: digits, hyphens, capitals
  std::array<std::uint64_t, kAffixes>
      prefixes{};  // of 1 to 5 characters, in lower case; 0 if longer than the word
  std::array<std::uint64_t, kAffixes> suffixes{};
};

// Makes traits. A workspace for one thread.
class WordReader {
 public:
  WordTraits read(std::string_view form);
  void read(const Sentence& sentence, std::vector<WordTraits>& words);

 private:
  std::string lower_;
};

// Overwrites the observations by those of a sentence. `tags` are hashes of what earlier layers have said
// about the words; empty for the first layer.
void observe_words(std::span<const WordTraits> words, std::span<const std::uint64_t> tags,
                   SequenceObservations& observations);

}  // namespace copse
