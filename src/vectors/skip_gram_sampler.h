#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/hashing.h"

namespace copse {

// Numbers that look random, a function of the seed alone.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(mix(seed)) {}

  std::uint64_t next() {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
    state_ += kGolden;
    return mix(state_);
  }
  // Below `bound`.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }
  // From 0 to 1, without 1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// Draws numbers with given weights: the alias method, one access to memory a number.
class WeightedChoice {
 public:
  // At least one; none negative, not all zero.
  explicit WeightedChoice(std::span<const double> weights);

  std::uint32_t draw(RandomNumbers& random) const {
    const std::uint64_t number = random.next();
    const auto column = static_cast<std::uint32_t>((number >> 32) * columns_.size() >> 32);
    const Column& chosen = columns_[column];
    return static_cast<std::uint32_t>(number) < chosen.share ? column : chosen.other;
  }

 private:
  struct Column {
    std::uint32_t share;  // of 2^32: how much of the column is its own
    std::uint32_t other;
  };
  std::vector<Column> columns_;
};

// Some sentences, one after the other: what one step learns from.
struct SkipGramBatch {
  struct Position {
    std::uint32_t word;
    std::uint32_t sentence;  // where its sentence begins
    std::uint32_t end;       // and ends, among the positions
  };
  std::vector<Position> positions;

  void clear() { positions.clear(); }
  void add(std::span<const std::uint32_t> sentence);
};

// What a word is to predict: the words around it, and not some words drawn at random.
struct SkipGramSample {
  std::vector<std::uint32_t> words;  // first those around it
  std::size_t contexts = 0;          // how many these are
  float negative_weight = 0.0F;      // of each of the others
};

// Each word has a window of its own, of 1 to `window` words on either side. `negative` words are drawn for
// every word around it, in proportion to the square root of their counts. The words of a window share them:
// twice as many as one of them alone would have, each with a higher weight, so that the expected loss is the
// same and fewer rows of memory are touched.
class SkipGramSampler {
 public:
  SkipGramSampler(std::span<const std::uint64_t> counts, int window, int negative);

  // The most words that a sample has.
  std::size_t most_words() const {
    return 2 * static_cast<std::size_t>(window_) + static_cast<std::size_t>(shared_);
  }

  void sample(const SkipGramBatch& batch, std::size_t position, RandomNumbers& random,
              SkipGramSample& sample) const;

 private:
  WeightedChoice choice_;
  int window_;
  int negative_;
  int shared_;
};

}  // namespace copse
