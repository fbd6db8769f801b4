#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "network/gradients.h"
#include "network/lstm_kernels.h"
#include "network/matrix_product.h"
#include "network/sequences.h"
#include "network/training_matrix.h"

namespace copse {

// The weights of an LSTM in both directions; see NetworkBlocks::Lstm.
struct LstmWeights {
  TrainingMatrix input;
  std::span<const float> bias;
  TrainingMatrix recurrent[2];
};

// An LSTM in both directions, in training: it keeps what backward() needs. A workspace.
class Lstm {
 public:
  // output: the forward direction's hidden numbers, then the other's, for each row. Borrows nothing.
  void forward(const Sequences& sequences, ConstMatrix input, const LstmWeights& weights, Matrix output);
  // With the same sequences, input and output as the last forward(): adds the gradient of weights, and
  // replaces that of the input. Overwrites what forward() kept.
  void backward(const Sequences& sequences, ConstMatrix input, ConstMatrix output,
                ConstMatrix output_gradient, const LstmWeights& weights, const LstmGradients& gradients,
                Matrix input_gradient);

  // The same for the hidden numbers after each direction's last step alone, [sequence][2 × hidden].
  void forward_to_end(const Sequences& sequences, ConstMatrix input, const LstmWeights& weights, Matrix ends);
  void backward_from_end(const Sequences& sequences, ConstMatrix input, ConstMatrix end_gradient,
                         const LstmWeights& weights, const LstmGradients& gradients, Matrix input_gradient);

 private:
  void forward_direction(const Sequences& sequences, int direction, const LstmWeights& weights,
                         Matrix output);
  void backward_direction(const Sequences& sequences, int direction, ConstMatrix output,
                          ConstMatrix output_gradient, const LstmWeights& weights,
                          const LstmGradients& gradients);
  // Of a step, counted in the direction.
  static std::size_t row(const Sequences& sequences, std::size_t sequence, std::size_t step, int direction) {
    return direction == 0 ? sequences.begin(sequence) + step : sequences.end(sequence) - 1 - step;
  }

  std::size_t hidden_ = 0;
  std::vector<float> gates_;  // [row][8 × hidden]
  std::vector<float> cells_;  // [row][2 × hidden], and so are the next
  std::vector<float> tanh_cells_;
  std::vector<float> state_;          // [sequence][hidden]
  std::vector<float> recurrent_;      // [sequence][4 × hidden]
  std::vector<float> cell_gradient_;  // [sequence][hidden]
  std::vector<float> previous_;       // [row][hidden]: the output of the step before, in one direction
  std::vector<float> output_;         // [row][2 × hidden], if only the ends of it are wanted; so is the next
  std::vector<float> output_gradient_;
  std::vector<LstmForwardStep> forward_steps_;
  std::vector<LstmBackwardStep> backward_steps_;
};

}  // namespace copse
