// Reads arbitrary bytes with arbitrary calls of a ByteReader. The first byte says how many calls follow it.
#include <algorithm>
#include <cstdint>

#include "io/byte_reader_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  const size_t calls = std::min<size_t>(data[0], bytes.size());
  copse::report(copse::byte_reader_violation(bytes.first(calls), bytes.subspan(calls)));
  return 0;
}
