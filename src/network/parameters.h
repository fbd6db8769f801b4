#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/matrix_product.h"
#include "network/weight_set.h"

namespace copse {

// A matrix among the weights of a network, which all lie in one array.
struct Block {
  std::string name;  // as in files
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t offset = 0;
  std::size_t table = 0;  // its place in NetworkBlocks::tables(), if it is one of them
  Beginning beginning = {};
  FromEncoder from_encoder = FromEncoder::nothing;

  std::size_t size() const { return rows * columns; }
  ConstMatrix in(std::span<const float> weights) const { return {weights.data() + offset, rows, columns}; }
  Matrix in(std::span<float> weights) const { return {weights.data() + offset, rows, columns}; }
  // Of a block of one row.
  std::span<const float> row_in(std::span<const float> weights) const {
    return weights.subspan(offset, columns);
  }
  std::span<float> row_in(std::span<float> weights) const { return weights.subspan(offset, columns); }
};

struct BlockForm {
  struct Affine {
    Block weights, bias;
  };
  struct Lstm {
    Block input;  // [input][8 × hidden]: gates i, f, g, o of the forward direction, then of the other
    Block bias;
    Block recurrent[2];  // [hidden][4 × hidden]
  };
  using Bilinear = Block;
  using Vector = Block;
  using Table = Block;
};

// Where the weights of a network lie. First those that every sentence uses, then the tables, of which a
// sentence uses a few rows.
struct NetworkBlocks : WeightSet<BlockForm> {
  explicit NetworkBlocks(const NetworkShape& shape);

  NetworkShape shape;
  std::size_t dense = 0;  // weights before the tables
  std::size_t size = 0;

  // All that are not empty, in the order of the array.
  std::vector<const Block*> all() const;
  std::vector<const Block*> tables() const;
  bool is_table(const Block& block) const { return block.size() > 0 && block.offset >= dense; }
};

// Random weights to begin with.
std::vector<float> initial_weights(const NetworkShape& shape, std::uint64_t seed);

}  // namespace copse
