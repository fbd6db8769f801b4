// What the rest of the library knows of CUDA. These functions exist only where COPSE_CUDA is defined.
#pragma once

#include <memory>
#include <string>

#include "batch/back_end.h"

namespace copse {

// One line for users, or empty if there is a GPU that can be used.
std::string why_no_cuda();

std::unique_ptr<BackEnd> make_cuda_back_end(const BatchOptions& options);

}  // namespace copse
