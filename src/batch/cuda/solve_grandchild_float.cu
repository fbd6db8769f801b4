#include "batch/cuda/solver_kernels.cuh"

namespace copse {

template struct SolverKernels<float, false, true>;

}  // namespace copse
