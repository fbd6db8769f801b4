#include "network/lstm.h"

#include <algorithm>

#include "network/element_kernels.h"

namespace copse {

void Lstm::forward(const Sequences& sequences, ConstMatrix input, const LstmWeights& weights, Matrix output) {
  hidden_ = weights.recurrent[0].rows();
  const std::size_t rows = sequences.rows();
  gates_.resize(rows * 8 * hidden_);
  cells_.resize(rows * 2 * hidden_);
  tanh_cells_.resize(rows * 2 * hidden_);
  state_.resize(sequences.count() * hidden_);
  recurrent_.resize(sequences.count() * 4 * hidden_);
  const Matrix gates(gates_.data(), rows, 8 * hidden_);
  weights.input.multiply(input, gates);
  add_to_rows(weights.bias, gates);
  for (const int direction : {0, 1}) forward_direction(sequences, direction, weights, output);
}

void Lstm::forward_direction(const Sequences& sequences, int direction, const LstmWeights& weights,
                             Matrix output) {
  const std::size_t side = direction == 0 ? 0 : hidden_;
  for (std::size_t step = 0; step < sequences.steps(); ++step) {
    const std::size_t active = sequences.active(step);
    if (step > 0) {
      weights.recurrent[direction].multiply(ConstMatrix(state_.data(), active, hidden_),
                                            Matrix(recurrent_.data(), active, 4 * hidden_));
    }
    forward_steps_.clear();
    for (std::size_t s = 0; s < active; ++s) {
      const std::size_t at = row(sequences, s, step, direction);
      const float* previous_cell =
          step == 0 ? nullptr : &cells_[row(sequences, s, step - 1, direction) * 2 * hidden_ + side];
      forward_steps_.push_back({&gates_[at * 8 * hidden_ + 4 * side],
                                step == 0 ? nullptr : &recurrent_[s * 4 * hidden_], previous_cell,
                                &cells_[at * 2 * hidden_ + side], &tanh_cells_[at * 2 * hidden_ + side],
                                output.row(at) + side});
    }
    lstm_forward_step(hidden_, forward_steps_);
    for (std::size_t s = 0; s < active; ++s) {
      std::copy_n(forward_steps_[s].output, hidden_, &state_[s * hidden_]);
    }
  }
}

void Lstm::backward(const Sequences& sequences, ConstMatrix input, ConstMatrix output,
                    ConstMatrix output_gradient, const LstmWeights& weights, const LstmGradients& gradients,
                    Matrix input_gradient) {
  for (const int direction : {0, 1}) {
    backward_direction(sequences, direction, output, output_gradient, weights, gradients);
  }
  const ConstMatrix gates(gates_.data(), sequences.rows(), 8 * hidden_);
  weights.input.differentiate_weights(input, gates, gradients.input);
  add_rows_to(gates, gradients.bias);
  weights.input.differentiate_rows(gates, input_gradient);
}

void Lstm::forward_to_end(const Sequences& sequences, ConstMatrix input, const LstmWeights& weights,
                          Matrix ends) {
  const std::size_t hidden = weights.recurrent[0].rows();
  output_.resize(sequences.rows() * 2 * hidden);
  const Matrix output(output_.data(), sequences.rows(), 2 * hidden);
  forward(sequences, input, weights, output);
  for (std::size_t s = 0; s < sequences.count(); ++s) {
    std::copy_n(output.row(sequences.end(s) - 1), hidden, ends.row(s));
    std::copy_n(output.row(sequences.begin(s)) + hidden, hidden, ends.row(s) + hidden);
  }
}

void Lstm::backward_from_end(const Sequences& sequences, ConstMatrix input, ConstMatrix end_gradient,
                             const LstmWeights& weights, const LstmGradients& gradients,
                             Matrix input_gradient) {
  output_gradient_.assign(output_.size(), 0.0F);
  const Matrix gradient(output_gradient_.data(), sequences.rows(), 2 * hidden_);
  for (std::size_t s = 0; s < sequences.count(); ++s) {
    std::copy_n(end_gradient.row(s), hidden_, gradient.row(sequences.end(s) - 1));
    std::copy_n(end_gradient.row(s) + hidden_, hidden_, gradient.row(sequences.begin(s)) + hidden_);
  }
  backward(sequences, input, ConstMatrix(output_.data(), gradient.rows, gradient.columns), gradient, weights,
           gradients, input_gradient);
}

void Lstm::backward_direction(const Sequences& sequences, int direction, ConstMatrix output,
                              ConstMatrix output_gradient, const LstmWeights& weights,
                              const LstmGradients& gradients) {
  const std::size_t side = direction == 0 ? 0 : hidden_;
  const std::size_t rows = sequences.rows();
  cell_gradient_.assign(sequences.count() * hidden_, 0.0F);
  previous_.assign(rows * hidden_, 0.0F);
  for (std::size_t step = sequences.steps(); step-- > 0;) {
    const std::size_t active = sequences.active(step);
    backward_steps_.clear();
    for (std::size_t s = 0; s < active; ++s) {
      const std::size_t at = row(sequences, s, step, direction);
      const bool is_last = step + 1 == sequences.length(s);
      float* gates = &gates_[at * 8 * hidden_ + 4 * side];
      const float* previous_cell = nullptr;
      if (step > 0) {
        const std::size_t before = row(sequences, s, step - 1, direction);
        previous_cell = &cells_[before * 2 * hidden_ + side];
        std::copy_n(output.row(before) + side, hidden_, &previous_[at * hidden_]);
      }
      backward_steps_.push_back({output_gradient.row(at) + side, is_last ? nullptr : &state_[s * hidden_],
                                 gates, &tanh_cells_[at * 2 * hidden_ + side], previous_cell,
                                 &cell_gradient_[s * hidden_], gates});
    }
    lstm_backward_step(hidden_, backward_steps_);
    if (step == 0) continue;
    for (std::size_t s = 0; s < active; ++s) {
      std::copy_n(backward_steps_[s].gate_gradients, 4 * hidden_, &recurrent_[s * 4 * hidden_]);
    }
    weights.recurrent[direction].differentiate_rows(ConstMatrix(recurrent_.data(), active, 4 * hidden_),
                                                    Matrix(state_.data(), active, hidden_));
  }
  weights.recurrent[direction].differentiate_weights(
      ConstMatrix(previous_.data(), rows, hidden_),
      ConstMatrix(gates_.data() + 4 * side, rows, 4 * hidden_, 8 * hidden_), gradients.recurrent[direction]);
}

}  // namespace copse
