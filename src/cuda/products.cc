#include "cuda/products.h"

#include <fmt/format.h>

#include <vector>

#include "copse/error.h"

namespace copse::cuda {
namespace {

constexpr std::size_t kWorkspace = std::size_t{64} << 20;

void check_product(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DataError(fmt::format("the GPU cannot multiply matrices: {}", cublasGetStatusString(status)));
}

}  // namespace

Products::Products(Precision precision)
    : type_(precision == Precision::float32 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32) {
  check_cuda(cudaStreamCreate(&stream_), "starting");
  check_product(cublasCreate(&handle_));
  check_product(cublasSetStream(handle_, stream_));
  workspace_.resize(kWorkspace);
  // A workspace of its own makes products repeatable.
  check_product(cublasSetWorkspace(handle_, workspace_.data(), kWorkspace));
}

Products::~Products() {
  if (handle_ != nullptr) cublasDestroy(handle_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

// cuBLAS thinks in columns: what it takes for the result is its transposed, the product of the transposed
// factors in the other order.
void Products::run(cublasOperation_t of_b, cublasOperation_t of_a, int n, int m, int k, DeviceMatrix b,
                   DeviceMatrix a, DeviceMatrix result, Into into) {
  if (n == 0 || m == 0) return;
  const float one = 1.0F;
  const float before = into == Into::add ? 1.0F : 0.0F;
  check_product(cublasGemmEx(handle_, of_b, of_a, n, m, k, &one, b.data, CUDA_R_32F, b.stride, a.data,
                             CUDA_R_32F, a.stride, &before, result.data, CUDA_R_32F, result.stride, type_,
                             CUBLAS_GEMM_DEFAULT));
}

void Products::multiply(DeviceMatrix a, DeviceMatrix b, DeviceMatrix result, Into into) {
  run(CUBLAS_OP_N, CUBLAS_OP_N, b.columns, a.rows, a.columns, b, a, result, into);
}

void Products::multiply_transposed(DeviceMatrix a, DeviceMatrix b, DeviceMatrix result, Into into) {
  run(CUBLAS_OP_T, CUBLAS_OP_N, b.rows, a.rows, a.columns, b, a, result, into);
}

void Products::multiply_by_transposed(DeviceMatrix a, DeviceMatrix b, DeviceMatrix result, Into into) {
  run(CUBLAS_OP_N, CUBLAS_OP_T, b.columns, a.columns, a.rows, b, a, result, into);
}

void Products::multiply_two(DeviceMatrix a, DeviceMatrix b, bool b_is_transposed, DeviceMatrix result,
                            const Steps& steps) {
  const float one = 1.0F;
  const float zero = 0.0F;
  const int columns = b_is_transposed ? b.rows : b.columns;
  check_product(cublasGemmStridedBatchedEx(
      handle_, b_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, columns, a.rows, a.columns, &one,
      b.data, CUDA_R_32F, b.stride, static_cast<long long>(steps.b), a.data, CUDA_R_32F, a.stride,
      static_cast<long long>(steps.a), &zero, result.data, CUDA_R_32F, result.stride,
      static_cast<long long>(steps.result), 2, type_, CUBLAS_GEMM_DEFAULT));
}

void Products::add_rows_to(DeviceMatrix rows, float* sum) {
  if (rows.rows == 0) return;
  if (ones_.size() < static_cast<std::size_t>(rows.rows)) {
    ones_.upload(std::vector<float>(static_cast<std::size_t>(rows.rows) * 2, 1.0F), stream_);
  }
  const float one = 1.0F;
  check_product(cublasSgemv(handle_, CUBLAS_OP_N, rows.columns, rows.rows, &one, rows.data, rows.stride,
                            ones_.data(), 1, &one, sum, 1));
}

}  // namespace copse::cuda
