#include "network/training_weights.h"

#include <algorithm>
#include <string_view>

#include "network/weight_list.h"

namespace copse {

// Notes what is to be made of which block.
class TrainingWeights::Listing {
 public:
  explicit Listing(TrainingWeights& weights) : to_(&weights) {}

  void affine(const WeightRow& row, const BlockForm::Affine& block, TrainingForm::Affine& own) {
    add(row, own.weights, block.weights, block.weights.rows);
    vector(row, "", block.bias, own.bias);
  }
  void lstm(const WeightRow& row, const BlockForm::Lstm& block, LstmWeights& own) {
    add(row, own.input, block.input, block.input.rows);
    vector(row, "", block.bias, own.bias);
    for (const int direction : {0, 1}) {
      add(row, own.recurrent[direction], block.recurrent[direction], block.recurrent[direction].rows);
    }
  }
  void bilinear(const WeightRow& row, const Block& block, TrainingForm::Affine& own) {
    add(row, own.weights, block, block.rows - 1);
    to_->vectors_of_blocks_.push_back({&own.bias, &block, block.rows - 1});
  }
  void vector(const WeightRow&, std::string_view, const Block& block, std::span<const float>& own) {
    to_->vectors_of_blocks_.push_back({&own, &block, 0});
  }
  void table(const WeightRow& row, const Block& block, TrainingForm::Table& own) {
    to_->tables_.push_back({&own.rows, &block});
    if (row.is_packed) add(row, own.packed, block, block.rows);
  }

 private:
  void add(const WeightRow& row, TrainingMatrix& matrix, const Block& block, std::size_t rows) {
    if (row.is_packed) {
      to_->packed_.push_back({&matrix, &block, rows});
    } else {
      to_->unpacked_.push_back({&matrix, &block});
    }
  }

  TrainingWeights* to_;
};

TrainingWeights::TrainingWeights(const NetworkBlocks& blocks, Precision precision)
    : WeightSet(blocks.shape), precision_(precision) {
  visit_weights(blocks.shape, Listing(*this), blocks, *this);
  std::stable_sort(packed_.begin(), packed_.end(), [](const Packed& a, const Packed& b) {
    return a.rows * a.block->columns > b.rows * b.block->columns;
  });
}

void TrainingWeights::assign(std::span<const float> weights, const ForEach& for_each) {
  weights_ = weights;
  for (const Vectors& vector : vectors_of_blocks_) {
    const std::size_t columns = vector.block->columns;
    *vector.numbers = weights.subspan(vector.block->offset + vector.row * columns, columns);
  }
  for (const Rows& table : tables_) *table.rows = table.block->in(weights);
  for (const Unpacked& matrix : unpacked_) matrix.matrix->borrow(matrix.block->in(weights));
  slices_.clear();
  for (const Packed& packed : packed_) {
    ConstMatrix matrix = packed.block->in(weights);
    matrix.rows = packed.rows;
    packed.matrix->prepare(matrix, precision_);
    for (PackedMatrix* half : packed.matrix->halves()) {
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
