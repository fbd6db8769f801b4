#include "network/matrix_product.h"

#include <oneapi/dnnl/dnnl.h>

#include <stdexcept>

// Of the OpenMP runtime that oneDNN is built with. Its header comes with the compiler, but not with all of
// them.
extern "C" void omp_set_num_threads(int threads);

namespace copse {
namespace {

void multiply(bool transposes_a, ConstMatrix a, bool transposes_b, ConstMatrix b, Matrix result, Into into) {
  const std::size_t inner = transposes_a ? a.rows : a.columns;
  if (result.rows == 0 || result.columns == 0) return;
  use_one_thread();
  const auto size = [](std::size_t value) { return static_cast<dnnl_dim_t>(value); };
  const dnnl_status_t status =
      dnnl_sgemm(transposes_a ? 'T' : 'N', transposes_b ? 'T' : 'N', size(result.rows), size(result.columns),
                 size(inner), 1.0F, a.data, size(a.stride), b.data, size(b.stride),
                 into == Into::add ? 1.0F : 0.0F, result.data, size(result.stride));
  if (status != dnnl_success) throw std::logic_error("a matrix product of impossible sizes");
}

}  // namespace

void use_one_thread() {
  thread_local bool is_set = false;
  if (is_set) return;
  omp_set_num_threads(1);
  is_set = true;
}

void multiply(ConstMatrix a, ConstMatrix b, Matrix result, Into into) {
  multiply(false, a, false, b, result, into);
}

void multiply_transposed(ConstMatrix a, ConstMatrix b, Matrix result, Into into) {
  multiply(false, a, true, b, result, into);
}

void multiply_by_transposed(ConstMatrix a, ConstMatrix b, Matrix result, Into into) {
  multiply(true, a, false, b, result, into);
}

}  // namespace copse
