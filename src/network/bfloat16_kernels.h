#pragma once

#include <cstddef>
#include <cstdint>

#include "network/matrix_product.h"

namespace copse {

// Floats without the lower half of their bits, rounded to the nearest, to even if there are two. Rows follow
// each other without gaps.
void convert_to_bfloat16(ConstMatrix values, std::uint16_t* result);

}  // namespace copse
