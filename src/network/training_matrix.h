#pragma once

#include "network/packed_matrix.h"

namespace copse {

// A matrix of weights in training, with the transposed that gradients need. Constant between assignments, and
// so to be shared by threads.
class TrainingMatrix {
 public:
  // The two halves of an assignment, to be done by any threads. Both borrow the weights.
  void assign_forward(ConstMatrix weights, Precision precision) {
    precision_ = precision;
    forward_.assign(weights, precision);
  }
  void assign_backward(ConstMatrix weights, Precision precision) {
    backward_.assign_transposed(weights, precision);
  }

  // result = rows · weights.
  void multiply(ConstMatrix rows, Matrix result) const { copse::multiply(rows, forward_, result); }
  // The gradient of the rows, given that of the result.
  void differentiate_rows(ConstMatrix gradient, Matrix result, Into into = Into::replace) const {
    copse::multiply(gradient, backward_, result, into);
  }
  // Adds the gradient of the weights, given that of the result.
  void differentiate_weights(ConstMatrix rows, ConstMatrix gradient, Matrix result) const {
    multiply_by_transposed(rows, gradient, result, Into::add, precision_);
  }

  std::size_t rows() const { return forward_.rows(); }
  std::size_t columns() const { return forward_.columns(); }

 private:
  Precision precision_ = Precision::float32;
  PackedMatrix forward_;
  PackedMatrix backward_;
};

}  // namespace copse
