#pragma once

#include <cublas_v2.h>

#include "cuda/device_array.h"
#include "cuda/device_matrix.h"
#include "network/matrix_product.h"
#include "network/precision.h"

namespace copse::cuda {

// Products of matrices, one after the other on one stream, by cuBLAS: sums in floats; factors, too, or rounded to 19
// bits (TF32), where a lower precision is asked for. The same products give the same bits again.
class Products {
 public:
  explicit Products(Precision precision);
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;
  ~Products();

  cudaStream_t stream() const { return stream_; }

  // result = a b, a bᵀ, aᵀ b.
  void multiply(DeviceMatrix a, DeviceMatrix b, DeviceMatrix result, Into into = Into::replace);
  void multiply_transposed(DeviceMatrix a, DeviceMatrix b, DeviceMatrix result, Into into = Into::replace);
  void multiply_by_transposed(DeviceMatrix a, DeviceMatrix b, DeviceMatrix result, Into into = Into::replace);
  // Two products at once, a b or a bᵀ: of these matrices, and of those that lie so much further on.
  struct Steps {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t result = 0;
  };
  void multiply_two(DeviceMatrix a, DeviceMatrix b, bool b_is_transposed, DeviceMatrix result,
                    const Steps& steps);
  // sum += all rows.
  void add_rows_to(DeviceMatrix rows, float* sum);

 private:
  void run(cublasOperation_t of_b, cublasOperation_t of_a, int n, int m, int k, DeviceMatrix b, DeviceMatrix a,
           DeviceMatrix result, Into into);

  cublasComputeType_t type_;
  cudaStream_t stream_ = nullptr;
  cublasHandle_t handle_ = nullptr;
  DeviceArray<std::byte> workspace_;
  DeviceArray<float> ones_;
};

}  // namespace copse::cuda
