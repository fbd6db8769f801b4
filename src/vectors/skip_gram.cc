#include "vectors/skip_gram.h"

#include <algorithm>

namespace copse {
namespace {

std::size_t padded(std::size_t size) { return (size + kRowPadding - 1) / kRowPadding * kRowPadding; }

}  // namespace

SkipGram::SkipGram(const CharacterNgrams& parts, const SkipGramSampler& sampler, std::size_t words,
                   std::size_t dimension, std::uint64_t seed)
    : parts_(parts),
      sampler_(sampler),
      dimension_(dimension),
      stride_(padded(dimension)),
      input_(parts.rows() * stride_),
      output_(words * stride_) {
  RandomNumbers random(seed);
  const double width = 2.0 / static_cast<double>(dimension);
  for (std::size_t row = 0; row < parts.rows(); ++row) {
    for (std::size_t k = 0; k < dimension; ++k) {
      input_[row * stride_ + k] = static_cast<float>((random.uniform() - 0.5) * width);
    }
  }
  for (Chunk& chunk : chunks_) {
    const std::size_t most = padded(sampler.most_words());
    chunk.labels.resize(most);
    chunk.weights.resize(most);
    chunk.coefficients.resize(most);
  }
}

void SkipGram::compute(const SkipGramBatch& batch, float rate, std::uint64_t random, std::size_t number) {
  Chunk& chunk = chunks_[number];
  for (Updates& updates : chunk.updates) {
    updates.input.clear();
    updates.output.clear();
  }
  chunk.loss = 0.0;
  chunk.predictions = 0;
  const std::size_t size = batch.positions.size();
  for (std::size_t position = size * number / kChunks; position < size * (number + 1) / kChunks; ++position) {
    RandomNumbers numbers(random + position);
    SkipGramSample& sample = chunk.sample;
    sampler_.sample(batch, position, numbers, sample);
    if (sample.contexts == 0) continue;
    ++chunk.predictions;
    const auto source = static_cast<std::uint32_t>(position);
    const std::span<const std::uint32_t> parts = parts_.rows_of(batch.positions[position].word);
    float* hidden = hidden_.data() + position * stride_;
    mean_of_rows(input_.data(), stride_, parts, hidden);
    const std::size_t count = sample.words.size();
    for (std::size_t k = 0; k < padded(count); ++k) {
      chunk.labels[k] = k < sample.contexts ? 1.0F : 0.0F;
      chunk.weights[k] = k < sample.contexts ? 1.0F : k < count ? sample.negative_weight : 0.0F;
    }
    chunk.loss += predict({output_.data(), stride_, sample.words, chunk.labels.data(), chunk.weights.data()},
                          hidden, chunk.coefficients.data(), gradients_.data() + position * stride_);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t row = sample.words[k];
      chunk.updates[row % kShards].output.push_back({row, source, rate * chunk.coefficients[k]});
    }
    for (const std::uint32_t row : parts) chunk.updates[row % kShards].input.push_back({row, source, rate});
  }
}

void SkipGram::update(std::size_t shard) {
  for (const Chunk& chunk : chunks_) {
    add_scaled_rows(output_.data(), stride_, chunk.updates[shard].output, hidden_.data());
  }
  for (const Chunk& chunk : chunks_) {
    add_scaled_rows(input_.data(), stride_, chunk.updates[shard].input, gradients_.data());
  }
}

double SkipGram::step(const SkipGramBatch& batch, float rate, std::uint64_t random, TaskPool& pool) {
  const std::size_t needed = batch.positions.size() * stride_;
  if (hidden_.size() < needed) {
    hidden_.resize(needed);
    gradients_.resize(needed);
  }
  pool.for_each(kChunks, [&](std::size_t chunk, int) { compute(batch, rate, random, chunk); });
  pool.for_each(kShards, [&](std::size_t shard, int) { update(shard); });
  double loss = 0.0;
  predictions_ = 0;
  for (const Chunk& chunk : chunks_) {
    loss += chunk.loss;
    predictions_ += chunk.predictions;
  }
  return loss;
}

void SkipGram::copy_vector(std::size_t word, std::span<float> out) const {
  mean_of_rows(input_.data(), stride_, parts_.rows_of(word), out.data());
}

}  // namespace copse
