// What GPUs do for a BatchDistribution. Exists only where COPSE_CUDA is defined.
#pragma once

#include <memory>

#include "batch/batch_back_end.h"

namespace copse {

std::unique_ptr<BatchBackEnd> make_cuda_back_end(const BatchOptions& options);

}  // namespace copse
