#include "batch/cuda/solver_kernels.cuh"

namespace copse {

template struct SolverKernels<double, false, false>;

}  // namespace copse
