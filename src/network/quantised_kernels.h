#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "network/matrix_product.h"

namespace copse {

// Products of unsigned bytes (activations, 128 stands for 0) with signed ones (weights), summed in 32 bits.
//
// The weights of sixteen columns and four neighbouring inputs lie in one vector of 64 bytes: four bytes for
// each column. Such vectors are ordered by strips of kStripBlocks times sixteen columns, [strip][inputs / 4]
// [block of the strip]; columns that are left over are strips of one block. Inputs and columns are filled up
// with zeros.
inline constexpr std::size_t kBlockColumns = 16;
inline constexpr std::size_t kBlockInputs = 4;
inline constexpr std::size_t kStripBlocks = 4;
inline constexpr int kZeroActivation = 128;

// Sums are exact, and thus the same on all processors, in any order. Processors without instructions for sums
// of four products (VNNI) add pairs of them in 16 bits, with saturation; so they take one product at a time,
// which fits, at half their speed. The other way out, 7 bits for weights or for activations, would cost all
// processors accuracy: products of Gaussian weights with tanh of Gaussians are off by 1.5% or 1.0% then, by
// 0.8% with 8 bits for both (quantised_matrix_test.cc).
inline constexpr int kLargestWeight = 127;

struct PackedWeights {
  const std::int8_t* bytes = nullptr;
  std::size_t input_groups = 0;          // inputs / 4, rounded up
  std::size_t blocks = 0;                // outputs / 16, rounded up
  const float* scales = nullptr;         // of columns; filled up to whole blocks, like the next
  const std::int32_t* starts = nullptr;  // minus what activations of 0 give, 128 × the sum of the column

  // Where the block's first vector lies, in vectors, and how far apart they are.
  std::size_t begin(std::size_t block) const {
    if (step(block) == 1) return block * input_groups;
    return (block - block % kStripBlocks) * input_groups + block % kStripBlocks;
  }
  std::size_t step(std::size_t block) const {
    return block / kStripBlocks < blocks / kStripBlocks ? kStripBlocks : 1;
  }
};

struct ByteRows {
  const std::uint8_t* bytes = nullptr;
  std::size_t stride = 0;  // at least 4 × input_groups; what lies behind the inputs does not matter
  const float* scales = nullptr;
};

// Which instructions: those of processors without sums of four products are chosen in tests.
enum class ByteProducts { best, single };

// result = bias + row's scale × column's scale × (sum of products of bytes + start). `bias` may be null.
void multiply_bytes(ByteRows rows, const PackedWeights& weights, const float* bias, Matrix result,
                    ByteProducts instructions = ByteProducts::best);

// Sets bytes[k] = round(row[k] / scale) + 128 for the scale that makes the largest magnitude 127, and returns
// the scale; NaN if the row is not finite.
float quantise_row(std::span<const float> row, std::uint8_t* bytes);
// The same for numbers in [-1, 1] and a scale that does not depend on them. Larger ones are cut off.
void quantise_bounded_row(std::span<const float> row, std::uint8_t* bytes);
// to[k] += scale × codes[k].
void add_scaled_codes(std::span<const std::int8_t> codes, float scale, float* to);
inline constexpr float kBoundedLevels = 127.0F;
inline constexpr float kBoundedScale = 1.0F / kBoundedLevels;

}  // namespace copse
