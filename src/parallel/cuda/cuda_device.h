// Exists only where COPSE_CUDA is defined.
#pragma once

#include <string>

namespace copse {

// One line for users, or empty if there is a GPU that can be used.
std::string why_no_cuda();

}  // namespace copse
