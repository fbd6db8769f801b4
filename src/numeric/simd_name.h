#pragma once

#include <string>

namespace copse {

// The instruction set that this processor's arithmetic runs in. Results of another may differ in their last
// digits.
std::string simd_name();

}  // namespace copse
