#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "io/section_file.h"
#include "network/vocabulary.h"

namespace copse {

// The lemmas that words of the training data have, by form and tag, as numbers of rules: what is known need
// not be guessed. Forms and tags are kept as hashes.
class KnownLemmas {
 public:
  KnownLemmas() = default;
  // The most frequent rule for each form and tag, of those among `rules`.
  KnownLemmas(std::span<const Sentence* const> sentences, const Vocabulary& rules);

  // The number of the rule for a word with this form and these tags.
  std::optional<std::uint32_t> find(const Token& word) const;
  std::size_t size() const { return keys_.size(); }

  // Sections "network/lemma-words" and "network/lemma-rules"; none if nothing is known.
  void add_to(SectionFileWriter& file) const;
  // Throws DataError for sections that are damaged or name rules that are not there.
  static KnownLemmas from_file(const SectionFile& file, std::size_t rules);

 private:
  static std::uint64_t key_of(const Token& word);

  std::vector<std::uint64_t> keys_;   // ascending
  std::vector<std::uint32_t> rules_;  // of these
};

}  // namespace copse
