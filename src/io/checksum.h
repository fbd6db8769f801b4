#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

// Finds accidental damage at the speed of memory; it is no protection against forgery. Damage within one word
// (eight bytes at a multiple of eight) is always found, any other practically always. The value is the same
// on every machine and part of the format of model files, so it can never change. A `seed` chains checksums:
// that of several pieces is checksum(second, checksum(first)).
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace copse
