#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/large_pages.h"
#include "parallel/task_pool.h"
#include "vectors/character_ngrams.h"
#include "vectors/skip_gram_kernels.h"
#include "vectors/skip_gram_sampler.h"

namespace copse {

// Skip-gram with negative sampling: the vector of a word, which is the mean of its parts (CharacterNgrams),
// predicts the words around it, each of which has another vector for that.
//
// A step takes the sentences of a batch at a time. All its positions see the same weights; then their updates
// are added to the rows, to each row in the order of the positions. Threads share the positions first and the
// rows then, so the result is the same for any number of them.
class SkipGram {
 public:
  // What is given must live as long as this object.
  SkipGram(const CharacterNgrams& parts, const SkipGramSampler& sampler, std::size_t words,
           std::size_t dimension, std::uint64_t seed);

  std::size_t dimension() const { return dimension_; }
  std::size_t stride() const { return stride_; }

  // Learns from a batch; `random` decides what is drawn. Every row of a part takes the whole step of the mean
  // (not its share of it), as is usual. Returns the sum of the losses before the step.
  double step(const SkipGramBatch& batch, float rate, std::uint64_t random, TaskPool& pool);

  // The number of positions of a batch that had words around them, as of the last step.
  std::uint64_t predictions() const { return predictions_; }

  // The vector of a word; `out` has stride() elements.
  void copy_vector(std::size_t word, std::span<float> out) const;

  // The weights: a row of stride() floats for every part, and one for every word.
  std::span<const float> input() const { return input_; }
  std::span<const float> output() const { return output_; }

 private:
  static constexpr std::size_t kChunks = 16;  // of the positions of a batch
  static constexpr std::size_t kShards = 16;  // of the rows of the matrices

  // What is to be added to the rows of a shard.
  struct Updates {
    std::vector<RowUpdate> input;
    std::vector<RowUpdate> output;
  };
  struct Chunk {
    std::array<Updates, kShards> updates;
    double loss = 0.0;
    std::uint64_t predictions = 0;
    SkipGramSample sample;
    std::vector<float> labels;
    std::vector<float> weights;
    std::vector<float> coefficients;
  };

  void compute(const SkipGramBatch& batch, float rate, std::uint64_t random, std::size_t chunk);
  void update(std::size_t shard);

  const CharacterNgrams& parts_;
  const SkipGramSampler& sampler_;
  std::size_t dimension_;
  std::size_t stride_;
  LargeVector<float> input_;
  LargeVector<float> output_;
  LargeVector<float> hidden_;     // by position
  LargeVector<float> gradients_;  // likewise
  std::array<Chunk, kChunks> chunks_;
  std::uint64_t predictions_ = 0;
};

}  // namespace copse
