// All bytes of a file in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace copse {

struct FileMemory {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;  // begin at a multiple of 64 at least
};

// Looks at the first bytes of a file that has no size, such as a pipe, and returns how many bytes are worth
// reading.
using ReadingLimit = std::function<std::uint64_t(std::span<const std::byte> start)>;

// Maps the file, or reads it where that is not possible: at least `start_bytes` of it if there are so many,
// and then as many as `limit` says. "-" is the standard input. Throws DataError when it cannot be read.
FileMemory map_or_read_file(const std::string& path, std::size_t start_bytes, const ReadingLimit& limit);

FileMemory copy_to_memory(std::span<const std::byte> bytes);

}  // namespace copse
