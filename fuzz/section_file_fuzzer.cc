// Opens arbitrary bytes as a section file: they are refused with a DataError or usable. The first byte says
// whether to make the checksums right, without which little of the reader would be reached.
#include <cstdint>

#include "io/section_file_property.h"
#include "report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  if ((data[0] & 1) != 0) copse::make_checksums_right(file);
  copse::report(copse::section_file_violation(file));
  return 0;
}
