#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vectors/training_text.h"

namespace copse {

struct NgramLengths {
  int shortest = 3;
  int longest = 6;  // 0: no n-grams
};

// The parts that the vector of a word is the mean of, as rows of a matrix: first the word itself (row =
// number), then the sequences of characters in it, with "<" before and ">" behind it. Sequences that only one
// word has would say no more than the word; they are left out, and so are the rarest where there are millions
// of them. Words that share an ending or a stem learn from each other, which helps the rare ones.
class CharacterNgrams {
 public:
  static constexpr std::size_t kMostNgrams = 2'000'000;

  CharacterNgrams(const TextVocabulary& vocabulary, NgramLengths lengths);

  // Of words and n-grams.
  std::size_t rows() const { return rows_; }
  std::span<const std::uint32_t> rows_of(std::size_t word) const {
    return std::span(parts_).subspan(begins_[word], begins_[word + 1] - begins_[word]);
  }

 private:
  std::size_t rows_;
  std::vector<std::uint32_t> parts_;
  std::vector<std::size_t> begins_;
};

}  // namespace copse
