#pragma once

#include <cstddef>
#include <vector>

#include "network/lstm_kernels.h"
#include "network/quantised_matrix.h"
#include "network/quantised_weights.h"
#include "network/sequences.h"

namespace copse {

// An LSTM in both directions, when parsing. What comes out for a sequence does not depend on the others. A
// workspace: besides a state for each sequence, it holds some steps at a time, however long sequences are.
class QuantisedLstm {
 public:
  // output: the forward direction's hidden numbers, then the other's, for each row.
  void run(const Sequences& sequences, const QuantisedRows& input, const QuantisedWeights::Lstm& weights,
           QuantisedRows& output);
  // The hidden numbers after each direction's last step alone, for each sequence.
  void run_to_end(const Sequences& sequences, const QuantisedRows& input,
                  const QuantisedWeights::Lstm& weights, Matrix final_states);

 private:
  // Calls place(sequence, is_last) for where the hidden numbers of a step go as floats (null: nowhere), and
  // after the step use(row, hidden numbers in bytes).
  template <class Place, class Use>
  void run_direction(const Sequences& sequences, int direction, const QuantisedRows& input,
                     const QuantisedWeights::LstmDirection& weights, Place place, Use use);

  QuantisedRows chunk_;           // the inputs of some steps
  std::vector<float> gates_;      // what they contribute: [row of the chunk][4 × hidden]
  std::vector<float> recurrent_;  // [sequence][4 × hidden]
  std::vector<float> cells_;      // [sequence][hidden]
  QuantisedRows state_;           // alike
  std::vector<LstmStep> steps_;
};

}  // namespace copse
