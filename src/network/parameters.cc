#include "network/parameters.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "network/random.h"
#include "network/weight_list.h"

namespace copse {
namespace {

// Puts one block after the other.
class Placing {
 public:
  explicit Placing(NetworkBlocks& blocks) : blocks_(&blocks) {}

  void affine(const WeightRow& row, BlockForm::Affine& own) {
    own.weights = add(row, "/weights", row.rows, row.columns, row.weights);
    own.bias = add(row, "/bias", 1, row.columns, row.bias);
  }
  void lstm(const WeightRow& row, BlockForm::Lstm& own) {
    own.input = add(row, "/input", row.rows, 8 * row.columns, row.weights);
    own.bias = add(row, "/bias", 1, 8 * row.columns, row.weights);
    own.recurrent[0] = add(row, "/forward", row.columns, 4 * row.columns, row.weights);
    own.recurrent[1] = add(row, "/backward", row.columns, 4 * row.columns, row.weights);
  }
  void bilinear(const WeightRow& row, Block& own) { own = add(row, "", row.rows, row.columns, row.weights); }
  void vector(const WeightRow& row, const std::string& name, Block& own) {
    own = add(row, "/" + name, 1, row.columns, row.weights);
  }
  void table(const WeightRow& row, Block& own) {
    if (!row.is_dense && tables_ == 0) blocks_->dense = blocks_->size;
    own = add(row, "", row.rows, row.columns, row.weights);
    if (!row.is_dense) own.table = tables_++;
  }
  bool has_tables() const { return tables_ > 0; }

 private:
  Block add(const WeightRow& row, const std::string& name, std::size_t rows, std::size_t columns,
            Beginning beginning) {
    Block block{row.name + name, rows, columns, blocks_->size, 0, beginning, row.from_encoder};
    blocks_->size += block.size();
    return block;
  }

  NetworkBlocks* blocks_;
  std::size_t tables_ = 0;
};

struct Collecting {
  std::vector<const Block*> blocks;

  void affine(const WeightRow&, const BlockForm::Affine& own) { add({&own.weights, &own.bias}); }
  void lstm(const WeightRow&, const BlockForm::Lstm& own) {
    add({&own.input, &own.bias, &own.recurrent[0], &own.recurrent[1]});
  }
  void bilinear(const WeightRow&, const Block& own) { add({&own}); }
  void vector(const WeightRow&, const std::string&, const Block& own) { add({&own}); }
  void table(const WeightRow&, const Block& own) { add({&own}); }
  void add(std::initializer_list<const Block*> some) {
    for (const Block* block : some) {
      if (block->size() > 0) blocks.push_back(block);
    }
  }
};

}  // namespace

NetworkBlocks::NetworkBlocks(const NetworkShape& own) : WeightSet(own), shape(own) {
  Placing placing(*this);
  visit_weights(shape, placing, *this);
  if (!placing.has_tables()) dense = size;
}

std::vector<const Block*> NetworkBlocks::all() const {
  Collecting collecting;
  visit_weights(shape, collecting, *this);
  return std::move(collecting.blocks);
}

std::vector<const Block*> NetworkBlocks::tables() const {
  std::vector<const Block*> blocks = all();
  std::erase_if(blocks, [&](const Block* block) { return !is_table(*block); });
  return blocks;
}

std::vector<float> initial_weights(const NetworkShape& shape, std::uint64_t seed) {
  const NetworkBlocks blocks(shape);
  std::vector<float> all(blocks.size);
  Random random(seed);
  for (const Block* block : blocks.all()) {
    const float scale = block->beginning.scale;
    const std::span<float> weights = std::span(all).subspan(block->offset, block->size());
    switch (block->beginning.with) {
      case Beginning::With::zeros:
        break;
      case Beginning::With::ones:
        std::fill(weights.begin(), weights.end(), 1.0F);
        break;
      case Beginning::With::uniform: {
        const float bound = 1.0F / std::sqrt(scale);
        for (float& weight : weights) weight = bound * (2.0F * random.uniform() - 1.0F);
        break;
      }
      case Beginning::With::normal:
        for (float& weight : weights) weight = scale * random.normal();
        break;
    }
  }
  return all;
}

}  // namespace copse
