#include "cuda/device_back_end.h"
#include "cuda/launch.h"
#include "cuda/row_kernels.h"
#include "network/random.h"

namespace copse::cuda {
namespace {

std::size_t count_of(DeviceMatrix matrix) {
  return static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns);
}

// f(row, column) for every number of a matrix, on the GPU.
template <class F>
struct AtPlace {
  int columns;
  F f;
  __device__ void operator()(std::size_t k) const {
    f(static_cast<int>(k / columns), static_cast<int>(k % columns));
  }
};
template <class F>
void for_each_number(DeviceMatrix matrix, cudaStream_t stream, F f) {
  run_for(count_of(matrix), stream, AtPlace<F>{matrix.columns, f});
}

__device__ float& number_at(DeviceMatrix matrix, std::size_t row, int column) {
  return matrix.data[row * matrix.stride + column];
}

struct LookUp {
  DeviceMatrix from;
  const std::uint32_t* numbers;
  DeviceMatrix to;
  bool adds;
  __device__ void operator()(int row, int column) const {
    const float found = number_at(from, numbers[row], column);
    float& own = number_at(to, row, column);
    own = adds ? own + found : found;
  }
};

struct ReadVectors {
  DeviceMatrix vectors;
  const std::int32_t* numbers;
  DeviceMatrix to;
  __device__ void operator()(int row, int column) const {
    const std::int32_t number = numbers[row];
    number_at(to, row, column) = number < 0 ? 0.0F : number_at(vectors, number, column);
  }
};

struct SumUp {
  DeviceMatrix from;
  const std::uint32_t* begins;
  const std::uint32_t* values;
  DeviceMatrix to;
  __device__ void operator()(int row, int column) const {
    float sum = 0.0F;
    for (std::uint32_t k = begins[row]; k < begins[row + 1]; ++k) sum += number_at(from, values[k], column);
    number_at(to, row, column) = sum;
  }
};

struct Add {
  DeviceMatrix from;
  DeviceMatrix to;
  __device__ void operator()(int row, int column) const {
    number_at(to, row, column) += number_at(from, row, column);
  }
};

struct Rectify {
  DeviceMatrix rows;
  __device__ void operator()(int row, int column) const {
    float& number = number_at(rows, row, column);
    number = rectified(number);
  }
};

struct RectifyBackward {
  DeviceMatrix results;
  DeviceMatrix gradient;
  __device__ void operator()(int row, int column) const {
    float& number = number_at(gradient, row, column);
    number = rectified_backward(number_at(results, row, column), number);
  }
};

struct DrawFactors {
  const std::uint64_t* states;
  float rate;
  DeviceMatrix factors;
  __device__ void operator()(int row, int column) const {
    const float drawn = Random::uniform_at(states[row], static_cast<std::uint64_t>(column));
    number_at(factors, row, column) = drawn < rate ? 0.0F : 1.0F / (1.0F - rate);
  }
};

struct MultiplySequences {
  SequencesView sequences;
  DeviceMatrix factors;
  DeviceMatrix rows;
  __device__ void operator()(int row, int column) const {
    number_at(rows, row, column) *= number_at(factors, sequences.sequence_of_row[row], column);
  }
};

struct MultiplyGroup {
  DeviceMatrix factors;
  int group;
  DeviceMatrix rows;
  __device__ void operator()(int row, int column) const {
    number_at(rows, row, column) *= number_at(factors, row, group);
  }
};

}  // namespace

void DeviceBackEnd::upload(std::span<const std::uint32_t> begins, std::span<const std::uint32_t> values,
                           Lists& to) {
  to.begins.upload(begins, stream());
  to.values.upload(values, stream());
  list_of_value_.clear();
  for (std::size_t list = 0; list + 1 < begins.size(); ++list) {
    list_of_value_.insert(list_of_value_.end(), begins[list + 1] - begins[list],
                          static_cast<std::uint32_t>(list));
  }
  to.list_of_value.upload(list_of_value_, stream());
}

void DeviceBackEnd::upload(const WordVectors& from, GivenVectors& to) {
  std::vector<float> values(from.size() * from.dimension());
  for (std::size_t word = 0; word < from.size(); ++word) {
    from.copy_row(word, std::span(values).subspan(word * from.dimension(), from.dimension()));
  }
  upload(values, to.resize(from.size(), from.dimension()));
}

void DeviceBackEnd::upload(std::span<const float> from, Matrix to) {
  if (from.empty()) return;
  check_cuda(cudaMemcpyAsync(to.data, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream()),
             "copying to the GPU");
}

void DeviceBackEnd::look_up(Matrix from, const Numbers& numbers, Matrix to, Into into) {
  for_each_number(to, stream(), LookUp{from, numbers.data(), to, into == Into::add});
}

void DeviceBackEnd::sum_up(Matrix from, const Lists& lists, Matrix to) {
  for_each_number(to, stream(), SumUp{from, lists.begins.data(), lists.values.data(), to});
}

void DeviceBackEnd::read_vectors(GivenVectors& vectors, const SignedNumbers& numbers, Activations& to) {
  const Matrix all = vectors.all();
  const Matrix rows = to.resize(numbers.size(), static_cast<std::size_t>(all.columns));
  for_each_number(rows, stream(), ReadVectors{all, numbers.data(), rows});
}

void DeviceBackEnd::multiply(Activations& rows, const DeviceForm::Affine& affine, Matrix result) {
  products_->multiply(rows.all(), affine.weights, result);
  run_for(count_of(result), stream(), AddToRows{result, affine.bias});
}

void DeviceBackEnd::add(Matrix from, Matrix to) { for_each_number(to, stream(), Add{from, to}); }

void DeviceBackEnd::leaky_relu(Matrix rows) { for_each_number(rows, stream(), Rectify{rows}); }

void DeviceBackEnd::lstm(const Sequences& sequences, Activations& rows, const DeviceForm::Lstm& weights,
                         DeviceLstm& memory, Activations& output) {
  const auto hidden = static_cast<std::size_t>(weights.recurrent[0].rows);
  memory.forward(*products_, sequences, rows.all(), weights,
                 output.resize(sequences.host().rows(), 2 * hidden));
}

void DeviceBackEnd::lstm_to_end(const Sequences& sequences, Activations& rows,
                                const DeviceForm::Lstm& weights, DeviceLstm& memory, Matrix ends) {
  memory.forward_to_end(*products_, sequences, rows.all(), weights, ends);
}

void DeviceBackEnd::copy(Values& from, Values& to) {
  const Matrix all = from.all();
  const Matrix target = to.resize(static_cast<std::size_t>(all.rows), static_cast<std::size_t>(all.columns));
  check_cuda(cudaMemcpyAsync(target.data, all.data, count_of(all) * sizeof(float), cudaMemcpyDeviceToDevice,
                             stream()),
             "copying");
}

void DeviceBackEnd::draw_factors(const DropoutSite& site, Values& factors) {
  states_.upload(site.states, stream());
  const Matrix all = factors.resize(site.states.size(), site.columns);
  for_each_number(all, stream(), DrawFactors{states_.data(), site.rate, all});
}

void DeviceBackEnd::multiply_sequences(const Sequences& sequences, Values& factors, Matrix rows) {
  for_each_number(rows, stream(), MultiplySequences{sequences.view(), factors.all(), rows});
}

void DeviceBackEnd::multiply_groups(Values& factors, std::span<const Columns> groups, Matrix rows) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Matrix group = rows.in_columns(groups[g]);
    for_each_number(group, stream(), MultiplyGroup{factors.all(), static_cast<int>(g), group});
  }
}

void DeviceBackEnd::look_up_backward(const Numbers& numbers, Matrix gradient,
                                     const DeviceGradientForm::Table& table) {
  table.all->add(*table.block, numbers, gradient, stream());
}

void DeviceBackEnd::sum_up_backward(const Lists& lists, Matrix gradient,
                                    const DeviceGradientForm::Table& table) {
  table.all->add(*table.block, lists.values, lists.list_of_value, gradient, stream());
}

void DeviceBackEnd::multiply_backward(Activations& rows, Matrix gradient,
                                      const DeviceForm::Affine& /*affine*/,
                                      const DeviceForm::Affine& affine_gradient) {
  products_->multiply_by_transposed(rows.all(), gradient, affine_gradient.weights, Into::add);
  products_->add_rows_to(gradient, affine_gradient.bias);
}

void DeviceBackEnd::multiply_backward(Activations& rows, Matrix gradient, const DeviceForm::Affine& affine,
                                      const DeviceForm::Affine& affine_gradient, Matrix row_gradient) {
  multiply_backward(rows, gradient, affine, affine_gradient);
  products_->multiply_transposed(gradient, affine.weights, row_gradient);
}

void DeviceBackEnd::leaky_relu_backward(Matrix results, Matrix gradient) {
  for_each_number(gradient, stream(), RectifyBackward{results, gradient});
}

void DeviceBackEnd::lstm_backward(const Sequences& sequences, Activations& rows, Activations& output,
                                  Matrix gradient, const DeviceForm::Lstm& weights,
                                  const DeviceForm::Lstm& lstm_gradient, DeviceLstm& memory,
                                  Matrix row_gradient) {
  memory.backward(*products_, sequences, rows.all(), output.all(), gradient, weights, lstm_gradient,
                  row_gradient);
}

void DeviceBackEnd::lstm_to_end_backward(const Sequences& sequences, Activations& rows, Matrix gradient,
                                         const DeviceForm::Lstm& weights,
                                         const DeviceForm::Lstm& lstm_gradient, DeviceLstm& memory,
                                         Matrix row_gradient) {
  memory.backward_from_end(*products_, sequences, rows.all(), gradient, weights, lstm_gradient, row_gradient);
}

}  // namespace copse::cuda
