#include "batch/cuda/solver_kernels.cuh"

namespace copse {

template struct SolverKernels<float, true, true>;

}  // namespace copse
