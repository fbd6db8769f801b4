#include "io/zstd_block.h"

#include <zstd.h>

#include <stdexcept>

#include "copse/error.h"

namespace copse {
namespace {

constexpr int kLevel = 19;
constexpr unsigned long long kMostBytes = 1ULL << 30;  // whatever a damaged frame says

}  // namespace

std::vector<std::byte> zstd_compress(std::span<const std::byte> bytes) {
  std::vector<std::byte> result(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
  result.resize(size);
  return result;
}

std::vector<std::byte> zstd_decompress(std::span<const std::byte> bytes, const std::string& name) {
  const auto fail = [&name]() -> std::vector<std::byte> {
    throw DataError(name + ": is not compressed data; make the file again");
  };
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostBytes) return fail();
  std::vector<std::byte> result(static_cast<std::size_t>(size));
  const std::size_t read = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(read) != 0 || read != result.size()) return fail();
  return result;
}

}  // namespace copse
