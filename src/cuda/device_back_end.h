#pragma once

#include "cuda/device_form.h"
#include "cuda/lstm.h"
#include "cuda/table_gradients.h"
#include "network/back_end.h"
#include "network/dropout_plan.h"
#include "vectors/word_vectors.h"

namespace copse::cuda {

// Floats on a GPU, with gradients: see back_end.h. Operations are queued on the stream of the products.
class DeviceBackEnd {
 public:
  static constexpr bool kLearns = true;
  using Form = DeviceForm;
  using GradientForm = DeviceGradientForm;
  using Matrix = DeviceMatrix;

  class Values {
   public:
    Matrix resize(std::size_t rows, std::size_t columns) {
      numbers_.resize(rows * columns);
      rows_ = rows;
      columns_ = columns;
      return all();
    }
    Matrix all() { return {numbers_.data(), rows_, columns_}; }

   private:
    DeviceArray<float> numbers_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
  };
  using Activations = Values;
  using Numbers = DeviceArray<std::uint32_t>;
  using SignedNumbers = DeviceArray<std::int32_t>;
  struct Lists {
    Numbers begins;
    Numbers values;
    Numbers list_of_value;
  };
  using Sequences = DeviceSequences;
  using GivenVectors = Values;
  using LstmMemory = DeviceLstm;

  // Borrows the products.
  explicit DeviceBackEnd(Products& products) : products_(&products) {}

  void upload(std::span<const std::uint32_t> from, Numbers& to) { to.upload(from, stream()); }
  void upload(std::span<const std::int32_t> from, SignedNumbers& to) { to.upload(from, stream()); }
  void upload(std::span<const std::uint32_t> begins, std::span<const std::uint32_t> values, Lists& to);
  void upload(const copse::Sequences& from, Sequences& to) { to.assign(from, stream()); }
  void upload(const WordVectors& from, GivenVectors& to);
  void upload(std::span<const float> from, Matrix to);
  void finish(Activations&) {}

  void look_up(Matrix from, const Numbers& numbers, Matrix to, Into into);
  void sum_up(Matrix from, const Lists& lists, Matrix to);
  void read_vectors(GivenVectors& vectors, const SignedNumbers& numbers, Activations& to);
  void multiply(Activations& rows, const DeviceForm::Affine& affine, Matrix result);
  void add(Matrix from, Matrix to);
  void leaky_relu(Matrix rows);
  void lstm(const Sequences& sequences, Activations& rows, const DeviceForm::Lstm& weights,
            DeviceLstm& memory, Activations& output);
  void lstm_to_end(const Sequences& sequences, Activations& rows, const DeviceForm::Lstm& weights,
                   DeviceLstm& memory, Matrix ends);

  void copy(Values& from, Values& to);
  void draw_factors(const DropoutSite& site, Values& factors);
  void multiply_sequences(const Sequences& sequences, Values& factors, Matrix rows);
  void multiply_groups(Values& factors, std::span<const Columns> groups, Matrix rows);
  void look_up_backward(const Numbers& numbers, Matrix gradient, const DeviceGradientForm::Table& table);
  void sum_up_backward(const Lists& lists, Matrix gradient, const DeviceGradientForm::Table& table);
  void multiply_backward(Activations& rows, Matrix gradient, const DeviceForm::Affine& affine,
                         const DeviceForm::Affine& affine_gradient);
  void multiply_backward(Activations& rows, Matrix gradient, const DeviceForm::Affine& affine,
                         const DeviceForm::Affine& affine_gradient, Matrix row_gradient);
  void leaky_relu_backward(Matrix results, Matrix gradient);
  void lstm_backward(const Sequences& sequences, Activations& rows, Activations& output, Matrix gradient,
                     const DeviceForm::Lstm& weights, const DeviceForm::Lstm& lstm_gradient,
                     DeviceLstm& memory, Matrix row_gradient);
  void lstm_to_end_backward(const Sequences& sequences, Activations& rows, Matrix gradient,
                            const DeviceForm::Lstm& weights, const DeviceForm::Lstm& lstm_gradient,
                            DeviceLstm& memory, Matrix row_gradient);

 private:
  cudaStream_t stream() const { return products_->stream(); }

  Products* products_;
  DeviceArray<std::uint64_t> states_;
  std::vector<std::uint32_t> list_of_value_;
};

}  // namespace copse::cuda
