#include "cuda/launch.h"
#include "cuda/lstm.h"
#include "cuda/row_kernels.h"

namespace copse::cuda {
namespace {

__device__ float sigmoid(float x) { return 1.0F / (1.0F + expf(-x)); }

// One step of all sequences that have it, in both directions: pointers as in DeviceLstm.
struct Step {
  SequencesView sequences;
  int hidden;
  int active;
  int step;
  float* gates;
  float* cells;
  float* tanh_cells;
  float* state;
  float* recurrent;

  struct Place {
    int direction, sequence, unit;
    int row;     // of this step
    int before;  // of the step before; below 0: none
    bool is_last;
  };
  __device__ Place place(std::size_t k) const {
    Place at{};
    const int number = static_cast<int>(k / hidden);
    at.unit = static_cast<int>(k % hidden);
    at.direction = number / active;
    at.sequence = number % active;
    const int begin = sequences.begins[at.sequence];
    const int end = sequences.begins[at.sequence + 1];
    at.row = at.direction == 0 ? begin + step : end - 1 - step;
    at.before = step == 0 ? -1 : at.direction == 0 ? at.row - 1 : at.row + 1;
    at.is_last = step + 1 == end - begin;
    return at;
  }
  __device__ std::size_t of_unit(int row, const Place& at) const {
    return (static_cast<std::size_t>(row) * 2 + at.direction) * hidden + at.unit;
  }
  __device__ std::size_t of_gates(int row, const Place& at) const {
    return (static_cast<std::size_t>(row) * 2 + at.direction) * 4 * hidden + at.unit;
  }
  __device__ std::size_t of_state(const Place& at) const {
    return (static_cast<std::size_t>(at.direction) * sequences.count + at.sequence) * hidden + at.unit;
  }
  __device__ std::size_t of_recurrent(const Place& at) const {
    return (static_cast<std::size_t>(at.direction) * sequences.count + at.sequence) * 4 * hidden + at.unit;
  }
};

struct ForwardStep {
  Step step;
  DeviceMatrix output;
  __device__ void operator()(std::size_t k) const {
    const Step::Place at = step.place(k);
    const int hidden = step.hidden;
    float* gates = step.gates + step.of_gates(at.row, at);
    float z[4];
    for (int gate = 0; gate < 4; ++gate) z[gate] = gates[gate * hidden];
    float before = 0.0F;
    if (at.before >= 0) {
      const float* recurrent = step.recurrent + step.of_recurrent(at);
      for (int gate = 0; gate < 4; ++gate) z[gate] += recurrent[gate * hidden];
      before = step.cells[step.of_unit(at.before, at)];
    }
    const float i = sigmoid(z[0]);
    const float f = sigmoid(z[1]);
    const float g = tanhf(z[2]);
    const float o = sigmoid(z[3]);
    const float cell = f * before + i * g;
    const float tanh_cell = tanhf(cell);
    gates[0] = i;
    gates[hidden] = f;
    gates[2 * hidden] = g;
    gates[3 * hidden] = o;
    const std::size_t unit = step.of_unit(at.row, at);
    step.cells[unit] = cell;
    step.tanh_cells[unit] = tanh_cell;
    const float result = o * tanh_cell;
    output.data[static_cast<std::size_t>(at.row) * output.stride + at.direction * hidden + at.unit] = result;
    step.state[step.of_state(at)] = result;
  }
};

struct BackwardStep {
  Step step;
  DeviceMatrix output_gradient;
  float* cell_gradient;
  __device__ void operator()(std::size_t k) const {
    const Step::Place at = step.place(k);
    const int hidden = step.hidden;
    const std::size_t unit = step.of_unit(at.row, at);
    const std::size_t state = step.of_state(at);
    float gradient = output_gradient.data[static_cast<std::size_t>(at.row) * output_gradient.stride +
                                          at.direction * hidden + at.unit];
    if (!at.is_last) gradient += step.state[state];
    float* gates = step.gates + step.of_gates(at.row, at);
    const float i = gates[0];
    const float f = gates[hidden];
    const float g = gates[2 * hidden];
    const float o = gates[3 * hidden];
    const float tanh_cell = step.tanh_cells[unit];
    const float before = at.before >= 0 ? step.cells[step.of_unit(at.before, at)] : 0.0F;
    const float of_cell =
        gradient * o * (1.0F - tanh_cell * tanh_cell) + (at.is_last ? 0.0F : cell_gradient[state]);
    const float z[4] = {of_cell * g * i * (1.0F - i), of_cell * before * f * (1.0F - f),
                        of_cell * i * (1.0F - g * g), gradient * tanh_cell * o * (1.0F - o)};
    float* recurrent = step.recurrent + step.of_recurrent(at);
    for (int gate = 0; gate < 4; ++gate) {
      gates[gate * hidden] = z[gate];
      recurrent[gate * hidden] = z[gate];
    }
    cell_gradient[state] = of_cell * f;
  }
};

// previous[row] = the output of the step before, in each direction.
struct ShiftOutput {
  SequencesView sequences;
  DeviceMatrix output;
  int hidden;
  float* previous;
  __device__ void operator()(std::size_t k) const {
    const int row = static_cast<int>(k / (2 * hidden));
    const int column = static_cast<int>(k % (2 * hidden));
    const int sequence = sequences.sequence_of_row[row];
    const int before = column < hidden ? row - 1 : row + 1;
    const bool is_inside = before >= sequences.begins[sequence] && before < sequences.begins[sequence + 1];
    previous[k] = is_inside ? output.data[static_cast<std::size_t>(before) * output.stride + column] : 0.0F;
  }
};

// Where the hidden numbers after the last step of a direction stand.
__device__ std::size_t end_of(SequencesView sequences, int sequence, int column, int hidden) {
  const int row = column < hidden ? sequences.begins[sequence + 1] - 1 : sequences.begins[sequence];
  return static_cast<std::size_t>(row) * 2 * hidden + column;
}

struct CopyEnds {
  SequencesView sequences;
  int hidden;
  const float* output;
  DeviceMatrix ends;
  __device__ void operator()(std::size_t k) const {
    const int sequence = static_cast<int>(k / (2 * hidden));
    const int column = static_cast<int>(k % (2 * hidden));
    ends.data[static_cast<std::size_t>(sequence) * ends.stride + column] =
        output[end_of(sequences, sequence, column, hidden)];
  }
};

struct PutEnds {
  SequencesView sequences;
  int hidden;
  DeviceMatrix ends;
  float* output;
  __device__ void operator()(std::size_t k) const {
    const int sequence = static_cast<int>(k / (2 * hidden));
    const int column = static_cast<int>(k % (2 * hidden));
    output[end_of(sequences, sequence, column, hidden)] =
        ends.data[static_cast<std::size_t>(sequence) * ends.stride + column];
  }
};

// How far the weights of the other direction lie behind those of the first.
std::size_t step_of(const DeviceForm::Lstm& weights) {
  return static_cast<std::size_t>(weights.recurrent[1].data - weights.recurrent[0].data);
}

}  // namespace

void DeviceLstm::forward(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
                         const DeviceForm::Lstm& weights, DeviceMatrix output) {
  const Sequences& host = sequences.host();
  const auto hidden = static_cast<std::size_t>(weights.recurrent[0].rows);
  const std::size_t rows = host.rows();
  const std::size_t count = host.count();
  const cudaStream_t stream = products.stream();
  gates_.resize(rows * 8 * hidden);
  cells_.resize(rows * 2 * hidden);
  tanh_cells_.resize(rows * 2 * hidden);
  state_.resize(2 * count * hidden);
  recurrent_.resize(2 * count * 4 * hidden);
  const DeviceMatrix gates(gates_.data(), rows, 8 * hidden);
  products.multiply(input, weights.input, gates);
  run_for(rows * 8 * hidden, stream, AddToRows{gates, weights.bias});
  const DeviceMatrix matrix = weights.recurrent[0];
  const Products::Steps steps{count * hidden, step_of(weights), count * 4 * hidden};
  for (std::size_t step = 0; step < host.steps(); ++step) {
    const std::size_t active = host.active(step);
    if (step > 0) {
      products.multiply_two(DeviceMatrix(state_.data(), active, hidden), matrix, false,
                            DeviceMatrix(recurrent_.data(), active, 4 * hidden), steps);
    }
    run_for(2 * active * hidden, stream,
            ForwardStep{
                {sequences.view(), static_cast<int>(hidden), static_cast<int>(active), static_cast<int>(step),
                 gates_.data(), cells_.data(), tanh_cells_.data(), state_.data(), recurrent_.data()},
                output});
  }
}

void DeviceLstm::forward_to_end(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
                                const DeviceForm::Lstm& weights, DeviceMatrix ends) {
  const auto hidden = static_cast<std::size_t>(weights.recurrent[0].rows);
  const std::size_t rows = sequences.host().rows();
  output_.resize(rows * 2 * hidden);
  forward(products, sequences, input, weights, DeviceMatrix(output_.data(), rows, 2 * hidden));
  run_for(sequences.host().count() * 2 * hidden, products.stream(),
          CopyEnds{sequences.view(), static_cast<int>(hidden), output_.data(), ends});
}

void DeviceLstm::backward_from_end(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
                                   DeviceMatrix end_gradient, const DeviceForm::Lstm& weights,
                                   const DeviceForm::Lstm& gradients, DeviceMatrix input_gradient) {
  const auto hidden = static_cast<std::size_t>(weights.recurrent[0].rows);
  const std::size_t rows = sequences.host().rows();
  output_gradient_.resize(rows * 2 * hidden);
  output_gradient_.clear_values(products.stream());
  run_for(sequences.host().count() * 2 * hidden, products.stream(),
          PutEnds{sequences.view(), static_cast<int>(hidden), end_gradient, output_gradient_.data()});
  backward(products, sequences, input, DeviceMatrix(output_.data(), rows, 2 * hidden),
           DeviceMatrix(output_gradient_.data(), rows, 2 * hidden), weights, gradients, input_gradient);
}

void DeviceLstm::backward(Products& products, const DeviceSequences& sequences, DeviceMatrix input,
                          DeviceMatrix output, DeviceMatrix output_gradient, const DeviceForm::Lstm& weights,
                          const DeviceForm::Lstm& gradients, DeviceMatrix input_gradient) {
  const Sequences& host = sequences.host();
  const auto hidden = static_cast<std::size_t>(weights.recurrent[0].rows);
  const std::size_t rows = host.rows();
  const std::size_t count = host.count();
  const cudaStream_t stream = products.stream();
  cell_gradient_.resize(2 * count * hidden);
  previous_.resize(rows * 2 * hidden);
  const DeviceMatrix matrix = weights.recurrent[0];
  const Products::Steps steps{count * 4 * hidden, step_of(weights), count * hidden};
  for (std::size_t step = host.steps(); step-- > 0;) {
    const std::size_t active = host.active(step);
    run_for(2 * active * hidden, stream,
            BackwardStep{
                {sequences.view(), static_cast<int>(hidden), static_cast<int>(active), static_cast<int>(step),
                 gates_.data(), cells_.data(), tanh_cells_.data(), state_.data(), recurrent_.data()},
                output_gradient,
                cell_gradient_.data()});
    if (step == 0) continue;
    products.multiply_two(DeviceMatrix(recurrent_.data(), active, 4 * hidden), matrix, true,
                          DeviceMatrix(state_.data(), active, hidden), steps);
  }
  run_for(rows * 2 * hidden, stream,
          ShiftOutput{sequences.view(), output, static_cast<int>(hidden), previous_.data()});
  const DeviceMatrix gates(gates_.data(), rows, 8 * hidden);
  const DeviceMatrix previous(previous_.data(), rows, 2 * hidden);
  for (const std::size_t direction : {0, 1}) {
    products.multiply_by_transposed(previous.in_columns(direction * hidden, hidden),
                                    gates.in_columns(direction * 4 * hidden, 4 * hidden),
                                    gradients.recurrent[direction], Into::add);
  }
  products.multiply_by_transposed(input, gates, gradients.input, Into::add);
  products.add_rows_to(gates, gradients.bias);
  products.multiply_transposed(gates, weights.input, input_gradient);
}

}  // namespace copse::cuda
