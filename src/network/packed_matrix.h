#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "network/matrix_product.h"
#include "network/precision.h"

namespace copse {

// A matrix of weights as the right factor of products, in the order that these read it. Constant after
// assign(), and so to be shared by threads.
class PackedMatrix {
 public:
  PackedMatrix();
  ~PackedMatrix();
  PackedMatrix(PackedMatrix&&) noexcept;
  PackedMatrix& operator=(PackedMatrix&&) noexcept;

  // Borrows the weights.
  void assign(ConstMatrix weights, Precision precision);
  // The transposed of the weights.
  void assign_transposed(ConstMatrix weights, Precision precision);

  // The same in pieces, which different threads may do: first prepare(), then pack() for all slices.
  void prepare(ConstMatrix weights, bool is_transposed, Precision precision);
  std::size_t slices() const;
  void pack(std::size_t slice);

  std::size_t rows() const { return is_transposed_ ? weights_.columns : weights_.rows; }
  std::size_t columns() const { return is_transposed_ ? weights_.rows : weights_.columns; }

 private:
  friend void multiply(ConstMatrix, const PackedMatrix&, Matrix, Into);
  struct Packed;  // in bfloat16

  bool prepare_bfloat16();

  ConstMatrix weights_;
  bool is_transposed_ = false;
  std::vector<float> transposed_;  // in floats
  std::unique_ptr<Packed> packed_;
};

// result = a b. Each thread keeps what it needs for products of a size, and allocates little once it has seen
// the size.
void multiply(ConstMatrix a, const PackedMatrix& b, Matrix result, Into into = Into::replace);
// result = aᵀ b, both rounded to the precision: how gradients of weights come about.
void multiply_by_transposed(ConstMatrix a, ConstMatrix b, Matrix result, Into into, Precision precision);

}  // namespace copse
