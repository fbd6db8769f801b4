#include "network/quantised_lstm.h"

#include <algorithm>

namespace copse {
namespace {

// So many rows at a time that products are quick, and that what is kept of them stays in the cache.
constexpr std::size_t kChunkRows = 96;

std::size_t row_of(const Sequences& sequences, std::size_t sequence, std::size_t step, int direction) {
  return direction == 0 ? sequences.begin(sequence) + step : sequences.end(sequence) - 1 - step;
}

}  // namespace

template <class Place, class Use>
void QuantisedLstm::run_direction(const Sequences& sequences, int direction, const QuantisedRows& input,
                                  const QuantisedWeights::LstmDirection& weights, Place place, Use use) {
  const std::size_t hidden = weights.state.inputs();
  const std::size_t gates = 4 * hidden;
  cells_.assign(sequences.count() * hidden, 0.0F);
  state_.assign_zeros(sequences.count(), hidden);
  recurrent_.resize(sequences.count() * gates);
  // Of a fixed size: how full chunks are depends on the lengths of sequences, not on their number alone.
  const std::size_t most_rows = std::max(kChunkRows, sequences.count());
  gates_.resize(most_rows * gates);
  chunk_.resize(most_rows, input.columns());
  for (std::size_t begin = 0, end = 0; begin < sequences.steps(); begin = end) {
    std::size_t rows = 0;
    do {
      rows += sequences.active(end++);
    } while (end < sequences.steps() && rows + sequences.active(end) <= kChunkRows);
    std::size_t at = 0;
    for (std::size_t step = begin; step < end; ++step) {
      for (std::size_t s = 0; s < sequences.active(step); ++s) {
        chunk_.copy_row(at++, input, row_of(sequences, s, step, direction));
      }
    }
    weights.input.weights.multiply(chunk_, weights.input.bias, Matrix(gates_.data(), rows, gates));
    at = 0;
    for (std::size_t step = begin; step < end; ++step) {
      const std::size_t active = sequences.active(step);
      if (step > 0) weights.state.multiply(state_, {}, Matrix(recurrent_.data(), active, gates));
      steps_.clear();
      for (std::size_t s = 0; s < active; ++s) {
        steps_.push_back({&gates_[at++ * gates], step == 0 ? nullptr : &recurrent_[s * gates],
                          &cells_[s * hidden], place(s, step + 1 == sequences.length(s)),
                          state_.bounded_row(s)});
      }
      lstm_step(hidden, steps_);
      for (std::size_t s = 0; s < active; ++s) use(row_of(sequences, s, step, direction), state_.row(s));
    }
  }
}

void QuantisedLstm::run(const Sequences& sequences, const QuantisedRows& input,
                        const QuantisedWeights::Lstm& weights, QuantisedRows& output) {
  const std::size_t hidden = weights[0].state.inputs();
  output.assign_zeros(sequences.rows(), 2 * hidden);
  for (const int direction : {0, 1}) {
    const std::size_t side = direction == 0 ? 0 : hidden;
    run_direction(
        sequences, direction, input, weights[static_cast<std::size_t>(direction)],
        [](std::size_t, bool) -> float* { return nullptr; },
        [&](std::size_t row, std::span<const std::uint8_t> bytes) {
          std::copy(bytes.begin(), bytes.end(), output.bounded_row(row) + side);
        });
  }
}

void QuantisedLstm::run_to_end(const Sequences& sequences, const QuantisedRows& input,
                               const QuantisedWeights::Lstm& weights, Matrix final_states) {
  const std::size_t hidden = weights[0].state.inputs();
  for (const int direction : {0, 1}) {
    const std::size_t side = direction == 0 ? 0 : hidden;
    run_direction(
        sequences, direction, input, weights[static_cast<std::size_t>(direction)],
        [&](std::size_t sequence, bool is_last) -> float* {
          return is_last ? final_states.row(sequence) + side : nullptr;
        },
        [](std::size_t, std::span<const std::uint8_t>) {});
  }
}

}  // namespace copse
