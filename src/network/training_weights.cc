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
  add(arcs_, blocks.arcs, blocks.arcs.rows - 1);
  if (blocks.labels.rows > 0) add(labels_, blocks.labels, blocks.labels.rows - 1);
  add(tags_, blocks.tags, blocks.tags.rows);
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
  for_each(2 * parts_.size(), [this](std::size_t task) {
    const Part& part = parts_[task / 2];
    ConstMatrix matrix = part.block->in(weights_);
    matrix.rows = part.rows;
    if (task % 2 == 0) {
      part.matrix->assign_forward(matrix, precision_);
    } else {
      part.matrix->assign_backward(matrix, precision_);
    }
  });
}

void TrainingWeights::assign(std::span<const float> weights) {
  assign(weights, [](std::size_t count, const auto& task) {
    for (std::size_t k = 0; k < count; ++k) task(k);
  });
}

}  // namespace copse
