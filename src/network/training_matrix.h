#pragma once

#include <array>

#include "network/packed_matrix.h"

namespace copse {

// A matrix of weights in training, with the transposed that gradients need. Constant between assignments, and
// so to be shared by threads.
class TrainingMatrix {
 public:
  // Borrows the weights.
  void assign(ConstMatrix weights, Precision precision) {
    prepare(weights, precision);
    for (PackedMatrix* half : halves()) {
      for (std::size_t slice = 0; slice < half->slices(); ++slice) half->pack(slice);
    }
  }
  // The same in pieces, which different threads may do: first prepare(), then PackedMatrix::pack() for all
  // slices of both halves.
  void prepare(ConstMatrix weights, Precision precision) {
    precision_ = precision;
    forward_.prepare(weights, false, precision);
    backward_.prepare(weights, true, precision);
  }
  // The same without another order, for products that are few: in floats, from where the weights lie.
  void borrow(ConstMatrix weights) { borrowed_ = weights; }
  std::array<PackedMatrix*, 2> halves() { return {&backward_, &forward_}; }

  // result = rows · weights.
  void multiply(ConstMatrix rows, Matrix result) const {
    if (is_borrowed()) {
      copse::multiply(rows, borrowed_, result);
    } else {
      copse::multiply(rows, forward_, result);
    }
  }
  // The gradient of the rows, given that of the result.
  void differentiate_rows(ConstMatrix gradient, Matrix result, Into into = Into::replace) const {
    if (is_borrowed()) {
      multiply_transposed(gradient, borrowed_, result, into);
    } else {
      copse::multiply(gradient, backward_, result, into);
    }
  }
  // Adds the gradient of the weights, given that of the result.
  void differentiate_weights(ConstMatrix rows, ConstMatrix gradient, Matrix result) const {
    if (is_borrowed()) {
      multiply_by_transposed(rows, gradient, result, Into::add);
    } else {
      multiply_by_transposed(rows, gradient, result, Into::add, precision_);
    }
  }

  std::size_t rows() const { return is_borrowed() ? borrowed_.rows : forward_.rows(); }
  std::size_t columns() const { return is_borrowed() ? borrowed_.columns : forward_.columns(); }

 private:
  bool is_borrowed() const { return borrowed_.data != nullptr; }

  Precision precision_ = Precision::float32;
  PackedMatrix forward_;
  PackedMatrix backward_;
  ConstMatrix borrowed_;
};

}  // namespace copse
