#pragma once

#include <cstddef>
#include <cstdint>

#include "network/matrix_product.h"

namespace copse {

// Floats without the lower half of their bits, rounded to the nearest, to even if there are two. Rows follow
// each other without gaps.
void convert_to_bfloat16(ConstMatrix values, std::uint16_t* result);

// How matrices of weights lie for products: in blocks of 64 columns, one after the other, each in tiles of 32
// rows, each in pairs of rows whose numbers alternate. The last block and tile are filled up with zeros.
inline constexpr std::size_t kBlockColumns = 64;
inline constexpr std::size_t kTileRows = 32;
// One such block, of at most so many columns: `result` has room for whole tiles.
void pack_block(ConstMatrix columns, std::uint16_t* result);
// The same of the transposed of at most so many rows.
void pack_transposed_block(ConstMatrix rows, std::uint16_t* result);

}  // namespace copse
