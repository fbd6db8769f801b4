#include "network/gradients.h"

#include <algorithm>

namespace copse {

Gradients::Gradients(const NetworkBlocks& blocks, std::size_t dense) : dense_(dense) {
  for (const Block* block : blocks.tables()) {
    tables_.push_back({block->offset, block->columns, std::vector<std::int32_t>(block->rows, -1), {}, {}});
  }
}

void Gradients::clear() {
  std::fill(dense_.begin(), dense_.end(), 0.0F);
  for (Table& table : tables_) {
    for (const std::uint32_t row : table.rows) table.places[row] = -1;
    table.rows.clear();
    table.values.clear();
  }
}

std::span<float> Gradients::row(const Block& block, std::uint32_t number) {
  if (block.offset < dense_.size()) {
    return std::span(dense_).subspan(block.offset + number * block.columns, block.columns);
  }
  Table& table = tables_[block.table];
  std::int32_t& place = table.places[number];
  if (place < 0) {
    place = static_cast<std::int32_t>(table.rows.size());
    table.rows.push_back(number);
    table.values.resize(table.values.size() + table.columns, 0.0F);
  }
  return std::span(table.values).subspan(static_cast<std::size_t>(place) * table.columns, table.columns);
}

}  // namespace copse
