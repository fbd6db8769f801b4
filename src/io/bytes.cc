#include "io/bytes.h"

#include <limits>
#include <stdexcept>

#include "copse/error.h"

namespace copse {

void ByteWriter::text(std::string_view value) {
  if (value.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("a text of 4 GiB or more; write it as a section of its own");
  }
  u32(static_cast<std::uint32_t>(value.size()));
  const auto bytes = std::as_bytes(std::span(value));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

std::string_view ByteReader::text() { return as_text(take(u32())); }

std::size_t ByteReader::count(std::size_t bytes_each) {
  const std::uint64_t count = u64();
  if (count > rest_.size() / bytes_each) {
    fail("says that " + std::to_string(count) + " elements follow, but only " + std::to_string(rest_.size()) +
         " bytes do");
  }
  return static_cast<std::size_t>(count);
}

void ByteReader::expect_end() const {
  if (!rest_.empty()) fail("has " + std::to_string(rest_.size()) + " bytes too many");
}

void ByteReader::fail(std::string_view problem) const {
  throw DataError(name_ + ": " + std::string(problem) +
                  "; it does not suit this version of Copse, make it again or use the version that made it");
}

std::span<const std::byte> ByteReader::take(std::size_t size) {
  if (size > rest_.size()) {
    fail("ends too early: " + std::to_string(size) + " bytes wanted, " + std::to_string(rest_.size()) +
         " left");
  }
  const std::span<const std::byte> taken = rest_.first(size);
  rest_ = rest_.subspan(size);
  return taken;
}

}  // namespace copse
