#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "network/parameters.h"
#include "parallel/team.h"
#include "parser_training/network_steps.h"

namespace copse {

// Weights that one task adds up or updates. The shares of processes consist of whole segments.
inline constexpr std::size_t kSegment = 1 << 16;

// The state of a network, divided among the processes of a team: each has what it updates itself. All of them
// have all weights, and the moments of tables, of which a step changes a few rows. Of the moments of the
// weights that every sentence uses, and of the averages, each has its share alone.
class DividedState {
 public:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
  };

  // Begins with the weights of rank 0. Borrows the team.
  DividedState(Team& team, const NetworkBlocks& blocks, std::vector<float> weights);

  std::span<const float> weights() const { return state_.weights; }
  // The weights that this process updates: of those that every sentence uses, and of the tables.
  Range dense() const { return own_of(dense_bounds_, 0); }
  Range tables() const { return own_of(table_bounds_, dense_size_); }

  // Some weights with what belongs to them: either all within dense(), with their average, or all in tables,
  // without.
  AdamState part(std::size_t offset, std::span<const float> gradient);
  // a = d a + (1 - d) w, for weights within tables().
  void average_table(Range weights, float decay);

  // After a step, when every process has updated its share: brings the weights together.
  void finish_step();
  // Brings the averages together, and the rest of the state in rank 0: by the first call after a step. Until
  // the next step, others do not communicate.
  std::span<const float> average();
  const NetworkState& state();
  // Takes this process's share of a state.
  void assign(NetworkState state);

 private:
  Range own_of(std::span<const std::size_t> bounds, std::size_t offset) const;
  std::size_t place_of_moments(std::size_t weight) const;
  std::size_t place_of_average(std::size_t weight) const;

  Team* team_;
  std::size_t dense_size_;
  std::vector<std::size_t> dense_bounds_;
  std::vector<std::size_t> table_bounds_;  // from the first table on
  NetworkState state_;                     // moments and average: the dense share, then that of tables
  NetworkState whole_;                     // of more than one process, as far as it was asked for
  bool has_average_ = false;               // in whole_
  bool has_state_ = false;                 // likewise
};

}  // namespace copse
