#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse {

// Numbers of which most are zero, in fewer bytes: one bit for each number says whether it is zero, and the
// others follow, in 8 bytes each.
//
// Writes them over `bytes` and returns true, or returns false where that would not even halve them: numbers
// as they are cost nobody any time.
bool pack_sparse(std::span<const std::int64_t> numbers, std::vector<std::byte>& bytes);

// Adds numbers that were packed to as many others. False if these are not the bytes of so many numbers.
bool add_sparse(std::span<const std::byte> bytes, std::span<std::int64_t> numbers);

}  // namespace copse
