#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace copse {

// A stream of bytes to read once, from front to back.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills a part of `out` and returns how many bytes it wrote: 0 only at the end (or for an empty `out`).
  // Throws DataError when the bytes cannot be had.
  virtual size_t read(std::span<char> out) = 0;
};

// The bytes of a file as they are; "-" is the standard input. Throws DataError when it cannot be opened.
std::unique_ptr<ByteSource> open_file(const std::string& path);

// The bytes from `begin` to `end` of a file that can be read from anywhere. Throws DataError when it cannot
// be opened, and while reading if it has become shorter than that.
std::unique_ptr<ByteSource> open_file_part(const std::string& path, std::uint64_t begin, std::uint64_t end);

std::unique_ptr<ByteSource> open_memory(std::string bytes);

// The same bytes, decompressed when they start like gzip or zstd data (concatenated members and frames are
// read to the last one), and untouched otherwise. Truncated or corrupt data is a DataError that starts with
// `name`.
std::unique_ptr<ByteSource> decompress(std::unique_ptr<ByteSource> source, std::string name);

// Whether data that begins so is compressed, as decompress() sees it; so many bytes tell.
inline constexpr std::size_t kCompressionBytes = 4;
bool is_compressed(std::string_view start);

// How messages call the input at `path`.
std::string input_name(const std::string& path);

}  // namespace copse
