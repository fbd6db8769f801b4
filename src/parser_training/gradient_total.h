#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/gradients.h"
#include "parallel/task_pool.h"
#include "parser_training/divided_state.h"

namespace copse {

// The gradients of the parts of a batch, added up in the order of the parts: to the last bit the same sums,
// whichever threads and processes the parts were worked on by. Part k of a batch is that of rank k % size.
// Of the weights that every sentence uses, a process adds up its share (DividedState::dense()), of tables
// all rows that any part has a gradient for.
class GradientTotal {
 public:
  // Borrows the pool, with its team, and the blocks.
  GradientTotal(const NetworkBlocks& blocks, TaskPool& pool);

  struct Report {
    double loss = 0.0;
    double square = 0.0;  // of the gradient's length
  };
  // Collective. Of a batch of so many parts, this process has worked on some: their losses and gradients, in
  // their order.
  Report add_up(std::size_t parts, std::span<const double> losses, std::span<const Gradients> gradients);

  // Of the weights of this process's share, from its first one on.
  std::span<const float> dense() const { return sum_.dense(); }
  // Of all of them.
  const std::vector<Gradients::Table>& tables() const { return sum_.tables(); }

 private:
  struct Rows {
    std::vector<std::uint32_t> numbers;
    std::vector<float> values;
  };
  void exchange_dense(std::span<const Gradients> gradients);
  std::span<const float> dense_of(std::size_t part, std::span<const Gradients> gradients) const;
  void add_up_dense(std::size_t parts, std::span<const Gradients> gradients);
  std::vector<double> gather(std::size_t parts, std::span<const double> losses,
                             std::span<const Gradients> gradients);

  const NetworkBlocks* blocks_;
  TaskPool* pool_;
  Team* team_;
  std::vector<std::size_t> bounds_;  // of the shares
  std::size_t begin_;                // of the own one
  Gradients sum_;
  std::vector<double> squares_;  // by segment: those of the own share, then all
  // Of more than one process:
  Team::Parcels parcels_;                // by rank: the own share of its parts' gradients
  std::vector<std::vector<Rows>> rows_;  // by part and table
};

}  // namespace copse
