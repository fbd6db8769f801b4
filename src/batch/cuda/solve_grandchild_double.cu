#include "batch/cuda/solver_kernels.cuh"

namespace copse {

template struct SolverKernels<double, false, true>;

}  // namespace copse
