#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace copse {

// Bytes that are kept small, as one zstd frame that says how long it is. Slow to make, quick to read.
std::vector<std::byte> zstd_compress(std::span<const std::byte> bytes);

// Throws DataError, beginning with `name`, for what is not such a frame.
std::vector<std::byte> zstd_decompress(std::span<const std::byte> bytes, const std::string& name);

}  // namespace copse
