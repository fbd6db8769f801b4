#include "network/training_weights.h"

#include <algorithm>

namespace copse {

TrainingWeights::TrainingWeights(const NetworkBlocks& blocks, Precision precision)
    : blocks_(&blocks), precision_(precision), layers_(blocks.layers.size() + blocks.characters.size()) {
  std::size_t number = 0;
  for (const auto* lstms : {&blocks.layers, &blocks.characters}) {
    for (const NetworkBlocks::Lstm& lstm : *lstms) {
      LstmWeights& layer = layers_[number++];
      add(layer.input, lstm.input, lstm.input.rows);
      for (const int direction : {0, 1}) {
        add(layer.recurrent[direction], lstm.recurrent[direction], lstm.recurrent[direction].rows);
      }
    }
  }
  add(roles_, blocks.roles, blocks.roles.rows);
  if (blocks.arcs.rows > 0) add(arcs_, blocks.arcs, blocks.arcs.rows - 1);
  if (blocks.labels.rows > 0) add(labels_, blocks.labels, blocks.labels.rows - 1);
  add(tags_, blocks.tags, blocks.tags.rows);
  add(guess_, blocks.guess.weights, blocks.guess.weights.rows);
  if (blocks.guess.weights.rows > 0) add(words_, blocks.words, blocks.words.rows);
  std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
    return a.rows * a.block->columns > b.rows * b.block->columns;
  });
}

void TrainingWeights::add(TrainingMatrix& matrix, const Block& block, std::size_t rows) {
  if (rows > 0) parts_.push_back({&matrix, &block, rows});
}

void TrainingWeights::assign(std::span<const float> weights, const ForEach& for_each) {
  weights_ = weights;
  std::size_t number = 0;
  for (const auto* lstms : {&blocks_->layers, &blocks_->characters}) {
    for (const NetworkBlocks::Lstm& lstm : *lstms) {
      layers_[number++].bias = weights.subspan(lstm.bias.offset, lstm.bias.size());
    }
  }
  slices_.clear();
  for (const Part& part : parts_) {
    ConstMatrix matrix = part.block->in(weights);
    matrix.rows = part.rows;
    part.matrix->prepare(matrix, precision_);
    for (PackedMatrix* half : part.matrix->halves()) {
      for (std::size_t slice = 0; slice < half->slices(); ++slice) slices_.emplace_back(half, slice);
    }
  }
  for_each(slices_.size(), [this](std::size_t task) {
    const auto& [matrix, slice] = slices_[task];
    matrix->pack(slice);
  });
}

void TrainingWeights::assign(std::span<const float> weights) {
  assign(weights, [](std::size_t count, const auto& task) {
    for (std::size_t k = 0; k < count; ++k) task(k);
  });
}

}  // namespace copse
