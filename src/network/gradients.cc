#include "network/gradients.h"

#include <algorithm>

#include "network/weight_views.h"

namespace copse {
namespace {

struct InGradients {
  Gradients* all;

  Matrix matrix(const Block& block, std::size_t rows) const {
    return {block.in(all->dense()).data, rows, block.columns};
  }
  std::span<float> vector(const Block& block, std::size_t row) const {
    return all->dense().subspan(block.offset + row * block.columns, block.columns);
  }
  GradientForm::Table table(const Block& block) const { return {all, &block}; }
};

}  // namespace

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

WeightSet<GradientForm> Gradients::by_weight(const NetworkBlocks& blocks) {
  return view_weights<GradientForm>(blocks, InGradients{this});
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
