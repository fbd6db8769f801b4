#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/parameters.h"

namespace copse {

class Gradients;

// Of an LSTM in both directions; see BlockForm::Lstm.
struct LstmGradients {
  Matrix input;
  std::span<float> bias;
  Matrix recurrent[2];
};

// Where gradients by weights are added to.
struct GradientForm {
  struct Affine {
    Matrix weights;
    std::span<float> bias;
  };
  using Lstm = LstmGradients;
  using Bilinear = Affine;  // the bias is what heads score by themselves
  using Vector = std::span<float>;
  struct Table {
    Gradients* all = nullptr;
    const Block* block = nullptr;

    inline std::span<float> row(std::uint32_t number) const;
  };
};

// The gradient of a loss by the weights of a network: all of those that every sentence uses, and of the
// tables only the rows that have one.
class Gradients {
 public:
  explicit Gradients(const NetworkBlocks& blocks) : Gradients(blocks, blocks.dense) {}
  // With room for so many of the weights that every sentence uses, whichever they are.
  Gradients(const NetworkBlocks& blocks, std::size_t dense);

  // Zero, without rows of tables.
  void clear();

  std::span<float> dense() { return dense_; }
  std::span<const float> dense() const { return dense_; }

  // All of them, as layers see them: to add to, as long as the blocks and this object are there.
  WeightSet<GradientForm> by_weight(const NetworkBlocks& blocks);
  // A row of a table, to add to.
  std::span<float> row(const Block& table, std::uint32_t number);

  struct Table {
    std::size_t offset = 0;  // of the table among all weights
    std::size_t columns = 0;
    std::vector<std::int32_t> places;  // by row; below 0: no gradient
    std::vector<std::uint32_t> rows;   // that have one, in the order in which they came
    std::vector<float> values;         // of these

    std::span<const float> values_of(std::size_t place) const {
      return std::span(values).subspan(place * columns, columns);
    }
  };
  // In the order of NetworkBlocks::tables().
  const std::vector<Table>& tables() const { return tables_; }

 private:
  std::vector<float> dense_;
  std::vector<Table> tables_;
};

std::span<float> GradientForm::Table::row(std::uint32_t number) const { return all->row(*block, number); }

}  // namespace copse
